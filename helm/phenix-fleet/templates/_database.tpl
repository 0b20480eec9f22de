{{/* PostgreSQL, which stores the records: your own server, a Cluster of CloudNativePG, or one pod for trials. */}}

{{/* The choice of the values: url, cluster or server. fleet.checkDatabase refuses several or none. */}}
{{- define "fleet.database" -}}
{{- $chosen := list -}}
{{- with .Values.database -}}
{{- if .url.existingSecret }}{{ $chosen = append $chosen "url" }}{{ end -}}
{{- if .cluster.enabled }}{{ $chosen = append $chosen "cluster" }}{{ end -}}
{{- if .server.enabled }}{{ $chosen = append $chosen "server" }}{{ end -}}
{{- end -}}
{{- join ", " $chosen -}}
{{- end -}}

{{/* Name of the Cluster, or of the pod and its objects. */}}
{{- define "fleet.postgresName" -}}
{{ include "fleet.fullname" . }}-postgres
{{- end -}}

{{- define "fleet.postgresHost" -}}
{{ include "fleet.postgresName" . }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end -}}

{{/* The Secret with the URL. The operator of CloudNativePG makes <Cluster>-app. */}}
{{- define "fleet.databaseSecret" -}}
{{- $kind := include "fleet.database" . -}}
{{- if eq $kind "url" -}}
{{- .Values.database.url.existingSecret -}}
{{- else if eq $kind "cluster" -}}
{{- include "fleet.postgresName" . }}-app
{{- else -}}
{{- .Values.database.server.existingSecret | default (include "fleet.postgresName" .) -}}
{{- end -}}
{{- end -}}

{{/* The CA certificates for PostgreSQL, as {secret, key} in YAML; empty if the values name none. */}}
{{- define "fleet.databaseAuthorities" -}}
{{- $kind := include "fleet.database" . -}}
{{- if eq $kind "cluster" -}}
{ secret: {{ include "fleet.postgresName" . }}-ca, key: ca.crt }
{{- else if and (eq $kind "url") .Values.database.url.caKey -}}
{ secret: {{ .Values.database.url.existingSecret | quote }}, key: {{ .Values.database.url.caKey | quote }} }
{{- end -}}
{{- end -}}

{{/* Path of the mounted URL. */}}
{{- define "fleet.databaseUrlFile" -}}
/run/secrets/phenix-fleet-database/url
{{- end -}}

{{/* Path of the CA certificates. */}}
{{- define "fleet.databaseCaFile" -}}
{{- if include "fleet.databaseAuthorities" . }}{{ dir (include "fleet.databaseUrlFile" .) }}/ca.crt{{ end -}}
{{- end -}}

{{/* Pods wait for it: the operator makes its Secrets some seconds after the Cluster. */}}
{{- define "fleet.databaseVolume" -}}
name: database
projected:
  # 0444, as redis-url.
  defaultMode: 292
  sources:
    - secret:
        name: {{ include "fleet.databaseSecret" . | quote }}
        items:
          - key: {{ dict "url" .Values.database.url.key "cluster" "uri" "server" "url" | dig (include "fleet.database" .) "url" | quote }}
            path: url
    {{- with include "fleet.databaseAuthorities" . | fromYaml }}
    - secret:
        name: {{ quote .secret }}
        items: [{ key: {{ quote .key }}, path: ca.crt }]
    {{- end }}
{{- end -}}

{{/* Settings of PostgreSQL as text, by name: {parameters} */}}
{{- define "fleet.postgresParameters" -}}
{{- $settings := dict -}}
{{- range $name, $value := .parameters }}{{ $_ := set $settings $name (include "fleet.text" $value) }}{{ end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* Checks that the schema cannot express. */}}
{{- define "fleet.checkDatabase" -}}
{{- $kind := include "fleet.database" . -}}
{{- if not $kind -}}
{{- fail "database: no PostgreSQL is chosen. Set one of database.url.existingSecret (a server of yours), database.cluster.enabled (CloudNativePG) and database.server.enabled (one pod, for trials)." -}}
{{- end -}}
{{- if contains "," $kind -}}
{{- fail (printf "database: %s are set. Set only one." $kind) -}}
{{- end -}}
{{- if and .Values.database.url.caKey (ne $kind "url") -}}
{{- fail "database.url.caKey is set, but database.url.existingSecret is empty. Set the Secret, or remove the key." -}}
{{- end -}}
{{- if ne $kind "url" -}}
{{- $most := int64 ((get .Values.database $kind).parameters.max_connections | default 100) -}}
{{- $pods := 0 -}}
{{- range $service := include "fleet.services" . | fromYaml -}}
{{- /* And one while they are replaced. */}}
{{- $pods = add $pods 1 ($service.autoscaling.enabled | ternary $service.autoscaling.maxReplicas $service.replicas) -}}
{{- end -}}
{{- $needed := mul $pods .Values.database.connections -}}
{{- /* For the server itself, its operator, and administrators. */}}
{{- if gt (add $needed 10) $most -}}
{{- fail (printf "database.%s.parameters.max_connections is %d, and %d pods of the services may open %d connections, with 10 for others: raise it to %d, or lower database.connections." $kind $most $pods $needed (add $needed 10)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
