{{/* The four services: common settings (values: services.defaults) and differences. */}}

{{/*
Each service under its key in values, as YAML: its component, its port, the seconds it drains at most
(libs/domain/contracts/src/queues.ts; a test compares them) and its values over the defaults.
*/}}
{{- define "fleet.services" -}}
{{- $facts := dict
  "gateway" (dict "component" "gateway" "portName" "http" "port" 8080 "drainSeconds" 10)
  "decisionWorker" (dict "component" "decision-worker" "portName" "health" "port" 8081 "drainSeconds" 20)
  "executorWorker" (dict "component" "executor-worker" "portName" "health" "port" 8081 "drainSeconds" 20)
  "logAnalysisWorker" (dict "component" "log-analysis-worker" "portName" "health" "port" 8081 "drainSeconds" 60)
-}}
{{- $services := dict -}}
{{- range $key, $fact := $facts -}}
{{- $values := mergeOverwrite (deepCopy $.Values.services.defaults) (deepCopy (get $.Values.services $key)) -}}
{{- $_ := set $services $key (mergeOverwrite $values $fact) -}}
{{- end -}}
{{- toYaml $services -}}
{{- end -}}

{{/* {service}: the scaling metric of a service, cpu or backlog. */}}
{{- define "fleet.scaledBy" -}}
{{- $auto := and (eq .service.autoscaling.kind "keda") (ne .service.component "gateway") | ternary "backlog" "cpu" -}}
{{- .service.autoscaling.by | eq "auto" | ternary $auto .service.autoscaling.by -}}
{{- end -}}

{{/* Not empty if KEDA queries the gateways for a backlog. */}}
{{- define "fleet.kedaAsksGateways" -}}
{{- range $key, $service := include "fleet.services" . | fromYaml -}}
{{- with $service.autoscaling -}}
{{- if and .enabled (eq .kind "keda") (not .prometheusAddress) (eq (include "fleet.scaledBy" (dict "service" $service)) "backlog") }}{{ $key }} {{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Security settings of every pod of the chart, as Pod Security "restricted" requires. */}}
{{- define "fleet.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* {root} */}}
{{- define "fleet.podSecurity" -}}
{{- with .root.Values.identity -}}
runAsNonRoot: true
runAsUser: {{ int64 .uid }}
runAsGroup: {{ int64 .fleetGid }}
{{- with .supplementalGroups }}
supplementalGroups: {{ toJson . }}
{{- end }}
{{- with .fsGroup }}
fsGroup: {{ int64 . }}
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end }}
{{- end -}}

{{/* Path of the mounted Secret with Redis' URL. */}}
{{- define "fleet.redisUrlFile" -}}
/run/secrets/phenix-fleet/redis-url
{{- end -}}

{{- define "fleet.redisVolume" -}}
name: redis-url
secret:
  secretName: {{ include "fleet.redisSecret" . }}
  # 0444: root owns the files of a Secret, and the services run as another user.
  defaultMode: 292
  items:
    - key: {{ .Values.redis.external.existingSecret | empty | ternary "url" .Values.redis.external.urlKey }}
      path: redis-url
    {{- with .Values.redis.external.caKey }}
    - { key: {{ quote . }}, path: redis-ca.crt }
    {{- end }}
{{- end -}}

{{/* Path of the CA certificates for Redis, if the values name any. */}}
{{- define "fleet.redisCaFile" -}}
{{- if .Values.redis.external.caKey }}{{ dir (include "fleet.redisUrlFile" .) }}/redis-ca.crt{{ end -}}
{{- end -}}

{{/* The Secret with the keys that sign session.json, and its mount path: only in the services, never in a program's pod. */}}
{{- define "fleet.installationKeySecret" -}}
{{- .Values.installationKey.existingSecret | default (printf "%s-installation-key" (include "fleet.fullname" .)) -}}
{{- end -}}

{{- define "fleet.installationKeyFile" -}}
/run/secrets/phenix-fleet-installation/keys
{{- end -}}

{{- define "fleet.installationKeyVolume" -}}
name: installation-key
secret:
  secretName: {{ include "fleet.installationKeySecret" . }}
  # 0444, as redis-url.
  defaultMode: 292
  items:
    - key: {{ .Values.installationKey.existingSecret | empty | ternary "keys" .Values.installationKey.secretKey }}
      path: keys
{{- end -}}

{{/* The Secret with an administrator's API key, and its mount path: in the gateway, and in the hooks and tests that call it. */}}
{{- define "fleet.adminKeySecret" -}}
{{- .Values.access.initialAdminKey.existingSecret | default (printf "%s-initial-admin" (include "fleet.fullname" .)) -}}
{{- end -}}

{{- define "fleet.adminKeyFile" -}}
/run/secrets/phenix-fleet-admin/key
{{- end -}}

{{/* {root, optional}: hooks before an upgrade may run before the Secret exists. */}}
{{- define "fleet.adminKeyVolume" -}}
name: admin-key
secret:
  secretName: {{ include "fleet.adminKeySecret" .root }}
  # 0444, as redis-url.
  defaultMode: 292
  {{- if .optional }}
  optional: true
  {{- end }}
  items:
    - { key: key, path: key }
{{- end -}}

{{/* The gateway's client secret at the identity provider, and its mount path: only in the gateway. */}}
{{- define "fleet.clientSecretFile" -}}
/run/secrets/phenix-fleet-login/client-secret
{{- end -}}

{{- define "fleet.clientSecretVolume" -}}
name: client-secret
secret:
  secretName: {{ .Values.oidc.clientSecret.existingSecret }}
  # 0444, as redis-url.
  defaultMode: 292
  items:
    - { key: {{ .Values.oidc.clientSecret.key }}, path: client-secret }
{{- end -}}

{{/* Mount path of the Secret with the mail server's URL: only in the gateway. */}}
{{- define "fleet.smtpUrlFile" -}}
/run/secrets/phenix-fleet-mail/smtp-url
{{- end -}}

{{- define "fleet.smtpVolume" -}}
name: smtp-url
secret:
  secretName: {{ .Values.mail.existingSecret }}
  # 0444, as redis-url.
  defaultMode: 292
  items:
    - { key: {{ .Values.mail.urlKey | quote }}, path: smtp-url }
{{- end -}}

{{/* Probes of terminus. While steps drain, a pod is alive but no longer ready; a slow start does not kill it. */}}
{{- define "fleet.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: {{ .portName }} }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /health/live, port: {{ .portName }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: {{ .portName }} }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 3
{{- end -}}

{{/* FLEET_ variables as a ConfigMap or env takes them: text, numbers without an exponent. */}}
{{- define "fleet.text" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end -}}
