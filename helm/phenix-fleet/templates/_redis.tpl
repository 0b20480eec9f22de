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

{{/* Redis holds only wake-ups and expiring entries, nothing permanent, so it has no file and no volume. If its memory is full it refuses writes instead of dropping a job (BullMQ). */}}
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
