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

{{/* It holds wake-ups and what expires by itself, and nothing that has to last: no file, no volume. A full memory refuses writes rather than drops a job (BullMQ). */}}
{{- define "fleet.redisConfig" -}}
dir /tmp
port 6379
bind * -::*
protected-mode yes
appendonly no
save ""
maxmemory {{ .Values.redis.bundled.maxMemory }}
maxmemory-policy noeviction
tcp-keepalive 60
{{- end -}}
