{{/* Names and labels of objects. */}}

{{- define "fleet.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 40 characters: the longest suffix of an object's name has 22. */}}
{{- define "fleet.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "fleet.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "fleet.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of cluster-scoped objects: two releases of one name may exist in two namespaces. */}}
{{- define "fleet.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "fleet.fullname" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "fleet.selectorLabels" -}}
app.kubernetes.io/name: {{ include "fleet.name" .root }}
app.kubernetes.io/instance: {{ quote .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* {root, component?} */}}
{{- define "fleet.labels" -}}
{{ include "fleet.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: phenix-fleet
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* {image: {registry, repository, tag, digest}, tag: the default} */}}
{{- define "fleet.imageName" -}}
{{- $path := .image.repository -}}
{{- with .image.registry }}{{ $path = printf "%s/%s" . $path }}{{ end -}}
{{- if .image.digest -}}
{{- printf "%s@%s" $path .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $path (.image.tag | default .tag) -}}
{{- end -}}
{{- end -}}

{{- define "fleet.image" -}}
{{- include "fleet.imageName" (dict "image" .Values.image "tag" .Chart.AppVersion) -}}
{{- end -}}

{{/* Beside the services' image, of the same version. */}}
{{- define "fleet.runnerImage" -}}
{{- if .Values.jobs.runnerImage -}}
{{- .Values.jobs.runnerImage -}}
{{- else -}}
{{- $image := dict "registry" .Values.image.registry "repository" "phenix-fleet/runner" "digest" "" "tag" .Values.image.tag -}}
{{- include "fleet.imageName" (dict "image" $image "tag" .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "fleet.jobsNamespace" -}}
{{- .Values.jobs.namespace.name | default (printf "%s-jobs" (.Release.Namespace | trunc 58 | trimSuffix "-")) -}}
{{- end -}}

{{- define "fleet.installation" -}}
{{- .Values.jobs.installation | default .Release.Name -}}
{{- end -}}

{{/* Not empty if Jobs have a separate namespace. */}}
{{- define "fleet.jobsApart" -}}
{{- if ne (include "fleet.jobsNamespace" .) .Release.Namespace }}yes{{ end -}}
{{- end -}}

{{- define "fleet.priorityClassName" -}}
{{- if .Values.priorityClass.create -}}
{{- .Values.priorityClass.name | default (include "fleet.clusterName" .) -}}
{{- end -}}
{{- end -}}

{{/* {root, key, component, service} */}}
{{- define "fleet.serviceAccountName" -}}
{{- $given := .service.serviceAccount.name -}}
{{- if .service.serviceAccount.create -}}
{{- $given | default (printf "%s-%s" (include "fleet.fullname" .root) .component) -}}
{{- else -}}
{{- $given | default "default" -}}
{{- end -}}
{{- end -}}

{{/* The host names that the gateway accepts: those of its Service, its routes, and further ones from the values. Probes use the IP address. */}}
{{- define "fleet.gatewayNames" -}}
{{- $service := printf "%s-gateway" (include "fleet.fullname" .) -}}
{{- $inside := printf "%s.%s" $service .Release.Namespace -}}
{{- $names := list $service $inside (printf "%s.svc" $inside) (printf "%s.svc.%s" $inside .Values.clusterDomain) -}}
{{- if .Values.gateway.ingress.enabled -}}
{{- range .Values.gateway.ingress.hosts }}{{ $names = append $names .host }}{{ end -}}
{{- end -}}
{{- if .Values.gateway.httpRoute.enabled -}}
{{- $names = concat $names .Values.gateway.httpRoute.hostnames -}}
{{- end -}}
{{- concat $names .Values.gateway.names | uniq | join "," -}}
{{- end -}}

{{- define "fleet.gatewayUrl" -}}
http://{{ include "fleet.fullname" . }}-gateway:{{ .Values.gateway.service.port }}
{{- end -}}
