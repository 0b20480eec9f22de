{{/* Language models: the settings file of the decision worker (FLEET_MODELS_FILE), its keys, and its egress rules. */}}

{{/* Folder of the mounted keys, each under the id of its target; only in the decision worker. */}}
{{- define "fleet.modelKeys" -}}
/run/secrets/phenix-fleet-models
{{- end -}}

{{- define "fleet.modelsSettings" -}}
local_only: {{ .Values.models.localOnly }}
targets:
  {{- range .Values.models.targets }}
  {{- $target := omit . "keySecret" "egress" }}
  {{- if .keySecret }}
  {{- $_ := set $target "key_file" (printf "%s/%s" (include "fleet.modelKeys" $) .id) }}
  {{- end }}
  - {{ toJson $target }}
  {{- end }}
roles:
  {{- range $role, $asked := .Values.models.roles }}
  {{- with $asked }}
  {{ $role }}: {{ toJson . }}
  {{- end }}
  {{- end }}
{{- with .Values.models.providers }}
providers: {{ toJson . }}
{{- end }}
{{- with .Values.models.budgets }}
budgets: {{ toJson . }}
{{- end }}
{{- end -}}

{{/* Empty if no target has a key. */}}
{{- define "fleet.modelKeysVolume" -}}
{{- $sources := list -}}
{{- range $target := .Values.models.targets -}}
{{- with $target.keySecret -}}
{{- $sources = append $sources (dict "secret" (dict "name" .name "items" (list (dict "key" .key "path" $target.id)))) -}}
{{- end -}}
{{- end -}}
{{- with $sources -}}
name: model-keys
projected:
  # 0444, as redis-url.
  defaultMode: 292
  sources: {{ toJson . }}
{{- end -}}
{{- end -}}

{{/* A target's port, from its base_url; vendors use 443. */}}
{{- define "fleet.modelPort" -}}
{{- $url := urlParse (.base_url | default "https://vendor") -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (eq $url.scheme "http" | ternary "80" "443") -}}
{{- end -}}

{{/* One rule for each target: its addresses and ports. */}}
{{- define "fleet.modelsEgress" -}}
{{- $anywhere := list (dict "ipBlock" (dict "cidr" "0.0.0.0/0")) (dict "ipBlock" (dict "cidr" "::/0")) -}}
{{- range .Values.models.targets }}
{{- $egress := .egress | default dict }}
- to: {{ $egress.to | default $anywhere | toJson }}
  ports:
    {{- range $egress.ports | default (list (include "fleet.modelPort" . | atoi)) }}
    - { protocol: TCP, port: {{ int64 . }} }
    {{- end }}
{{- end }}
{{- end -}}

{{/* Refuses values that the worker would refuse at its start, as far as the chart can check them. */}}
{{- define "fleet.checkModels" -}}
{{- $ids := list -}}
{{- range .Values.models.targets -}}
{{- if has .id $ids }}{{ fail (printf "models.targets: two have the id %s." .id) }}{{ end -}}
{{- $ids = append $ids .id -}}
{{- if and (eq .protocol "ollama") (not .base_url) -}}
{{- fail (printf "models.targets: %s has no base_url, but Ollama does not run in the pod of the decision worker. Set its URL." .id) -}}
{{- end -}}
{{- if and (eq .protocol "anthropic") (not .model) -}}
{{- fail (printf "models.targets: %s has no model, and anthropic has no default. Set one." .id) -}}
{{- end -}}
{{- if and .local (not .base_url) -}}
{{- fail (printf "models.targets: %s is local, but without a base_url requests go to its vendor. Set a URL within the site." .id) -}}
{{- end -}}
{{- if and $.Values.models.localOnly (not .local) -}}
{{- fail (printf "models.targets: %s is not local, but models.localOnly is true. Set local to true if its data stay within the site, or remove it." .id) -}}
{{- end -}}
{{- if and .local $.Values.networkPolicy.enabled (not (.egress | default dict).to) -}}
{{- fail (printf "models.targets: %s is local, but egress.to is empty, which would allow any address. Set its pods or addresses." .id) -}}
{{- end -}}
{{- if and .keySecret (hasPrefix "http://" (.base_url | default "")) -}}
{{- fail (printf "models.targets: %s has a key, but its base_url is http, which would send the key unencrypted. Use https, or remove keySecret." .id) -}}
{{- end -}}
{{- end -}}
{{- if and $ids (not .Values.models.roles.planning) -}}
{{- fail "models.roles.planning is empty, but models.targets is not. List the targets in order of preference." -}}
{{- end -}}
{{- range $role, $asked := .Values.models.roles -}}
{{- range $asked -}}
{{- if not (has . $ids) -}}
{{- fail (printf "models.roles.%s: %s is not a target; models.targets has %s." $role . (join ", " $ids | default "none")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $provider := .Values.models.providers -}}
{{- range $provider.targets -}}
{{- if not (has . $ids) -}}
{{- fail (printf "models.providers: %s of %s is not a target; models.targets has %s." . $provider.name (join ", " $ids | default "none")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
