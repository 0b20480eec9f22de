{{/* The settings file of the executor (FLEET_KUBERNETES_FILE); libs/adapters/kubernetes-backend has its schema, a test compares them. */}}
{{- define "fleet.kubernetesSettings" -}}
{{- $root := . -}}
namespace: {{ include "fleet.jobsNamespace" . }}
installation: {{ include "fleet.installation" . | quote }}
sources:
  {{- toYaml .Values.jobs.sources | nindent 2 }}
runnerImage: {{ include "fleet.runnerImage" . | quote }}
imagePullPolicy: {{ .Values.jobs.imagePullPolicy }}
imagePullSecrets: {{ include "fleet.namesOf" .Values.jobs.imagePullSecrets }}
volumes:
  {{- $shared := (include "fleet.volumes" . | fromYaml).volumes }}
  work:
    {{- include "fleet.jobVolume" (dict "root" $root "volume" (first $shared)) | nindent 4 }}
  {{- $data := list }}{{ $software := list }}
  {{- range rest $shared }}
  {{- $one := include "fleet.jobVolume" (dict "root" $root "volume" .) | fromYaml }}
  {{- if .services }}{{ $data = append $data $one }}{{ else }}{{ $software = append $software $one }}{{ end }}
  {{- end }}
  data: {{ toJson $data }}
  software: {{ toJson $software }}
classes:
  cpu: {{ toJson .Values.jobs.classes.cpu }}
  {{- with .Values.jobs.classes.gpu }}
  gpu: {{ toJson . }}
  {{- end }}
memoryClassesMiB: {{ toJson .Values.jobs.memoryClassesMiB }}
limits: {{ toJson .Values.jobs.limits }}
mustReach: {{ toJson .Values.jobs.mustReach }}
gpuWaitSeconds: {{ int64 .Values.jobs.gpuWaitSeconds }}
pendingLimitSeconds: {{ int64 .Values.jobs.pendingLimitSeconds }}
imagePullLimitSeconds: {{ int64 .Values.jobs.imagePullLimitSeconds }}
identity:
  fleetGid: {{ int64 .Values.identity.fleetGid }}
  default: {{ toJson .Values.jobs.identity.default }}
  proposals: {{ toJson .Values.jobs.identity.proposals }}
  ofFolder: {{ quote .Values.jobs.identity.ofFolder }}
kueue:
  queue: {{ quote .Values.kueue.queue }}
  priorityClass: {{ quote .Values.kueue.priorityClass }}
  {{- with .Values.kueue.priorityClasses }}
  priorityClasses: {{ toJson . }}
  {{- end }}
  queues: {{ toJson .Values.kueue.queues }}
api: {{ toJson .Values.jobs.api }}
ttlSecondsAfterFinished: {{ int64 .Values.jobs.ttlSecondsAfterFinished }}
resultGraceSeconds: {{ int64 .Values.jobs.resultGraceSeconds }}
{{- end -}}

{{/* [{name}] as [name] */}}
{{- define "fleet.namesOf" -}}
{{- $names := list -}}
{{- range . }}{{ $names = append $names .name }}{{ end -}}
{{- toJson $names -}}
{{- end -}}

{{/* FLEET_ variables of all services. Those that the chart sets cannot be set by config: the schema refuses them. */}}
{{- define "fleet.environment" -}}
FLEET_BACKEND: kubernetes
FLEET_WORK_ROOT: {{ include "fleet.workRoot" . | quote }}
FLEET_DATA_ROOTS: {{ include "fleet.dataRoots" . | quote }}
FLEET_SHARED_ROOTS: {{ include "fleet.rootsOf" (dict "root" . "shared" true) | quote }}
FLEET_GATEWAY_HOST: 0.0.0.0
FLEET_GATEWAY_PORT: '8080'
FLEET_GATEWAY_NAMES: {{ include "fleet.gatewayNames" . | quote }}
FLEET_TRUSTED_PROXIES: {{ join "," .Values.gateway.trustedProxies | quote }}
FLEET_AUDIT_MAX_MIB: {{ int64 .Values.gateway.audit.maxMiB | quote }}
FLEET_AUDIT_KEEP_DAYS: {{ int64 .Values.gateway.audit.keepDays | quote }}
FLEET_AUDIT_FORWARD: {{ .Values.gateway.audit.forward | quote }}
FLEET_HEALTH_HOST: 0.0.0.0
FLEET_HEALTH_PORT: '8081'
FLEET_OIDC_ISSUER: {{ .Values.oidc.issuer | quote }}
FLEET_OIDC_AUDIENCE: {{ .Values.oidc.audience | quote }}
FLEET_OIDC_ALGORITHMS: {{ join "," .Values.oidc.algorithms | quote }}
FLEET_OIDC_DEVICE_CLIENT: {{ .Values.oidc.deviceClient | quote }}
FLEET_OIDC_SCOPES: {{ join " " .Values.oidc.scopes | quote }}
FLEET_OIDC_CLIENT_ID: {{ .Values.oidc.clientId | quote }}
FLEET_OIDC_NAME: {{ .Values.oidc.name | quote }}
FLEET_OIDC_BROWSER_SCOPES: {{ join " " .Values.oidc.browserScopes | quote }}
FLEET_OIDC_CLAIMS: {{ toJson .Values.oidc.claims | quote }}
FLEET_SHARES: {{ toJson .Values.shares | quote }}
FLEET_RETENTION: {{ toJson .Values.retention | quote }}
FLEET_WEBHOOK_TARGETS: {{ join "," .Values.webhooks.targets | quote }}
FLEET_WEBHOOK_NETWORKS: {{ join "," .Values.webhooks.networks | quote }}
FLEET_MAIL_FROM: {{ .Values.mail.from | quote }}
FLEET_MAIL_DOMAINS: {{ join "," .Values.mail.domains | quote }}
FLEET_PREDICTION: {{ .Values.jobs.prediction.service | quote }}
FLEET_TRACING_ENDPOINT: {{ .Values.tracing.endpoint | quote }}
FLEET_TRACING_RATIO: {{ .Values.tracing.ratio | quote }}
FLEET_TRACING_CLIENTS: {{ .Values.tracing.clients | quote }}
FLEET_PUBLIC_URL: {{ .Values.gateway.publicUrl | quote }}
DATABASE_URL_FILE: {{ include "fleet.databaseUrlFile" . }}
DATABASE_CA_FILE: {{ include "fleet.databaseCaFile" . | quote }}
DATABASE_CONNECTIONS: {{ int64 .Values.database.connections | quote }}
REDIS_KEY_PREFIX: {{ .Values.redis.keyPrefix | quote }}
REDIS_URL_FILE: {{ include "fleet.redisUrlFile" . }}
REDIS_CA_FILE: {{ include "fleet.redisCaFile" . | quote }}
FLEET_INSTALLATION_KEY_FILE: {{ include "fleet.installationKeyFile" . }}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ include "fleet.text" $value | quote }}
{{- end }}
{{- end -}}
