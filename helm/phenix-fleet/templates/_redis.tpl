{{- define "fleet.redisBundled" -}}
{{- if not .Values.redis.external.existingSecret }}yes{{ end -}}
{{- end -}}

{{/* The Secret with the URL. */}}
{{- define "fleet.redisSecret" -}}
{{- .Values.redis.external.existingSecret | default .Values.redis.bundled.existingSecret | default (printf "%s-redis" (include "fleet.fullname" .)) -}}
{{- end -}}

{{- define "fleet.redisHost" -}}
{{ include "fleet.fullname" . }}-redis.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end -}}

{{/*
Durable first: the session records live here. everysec loses nothing when the process dies, at most a second when the
node does; and a full memory refuses writes rather than forgets a session.
*/}}
{{- define "fleet.redisConfig" -}}
dir /data
port 6379
bind * -::*
protected-mode yes
appendonly yes
appendfsync everysec
save ""
maxmemory {{ .Values.redis.bundled.maxMemory }}
maxmemory-policy noeviction
tcp-keepalive 60
{{- end -}}
