{{/* The pod of a hook or test: {root, component, script, env, serviceAccount?, adminKey?}. With adminKey it calls the gateway as an administrator. Its script is in files/. */}}
{{- define "fleet.scriptPod" -}}
{{- $asAdmin := and .adminKey .root.Values.access.initialAdminKey.enabled }}
metadata:
  labels: {{- include "fleet.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  restartPolicy: Never
  {{- with .serviceAccount }}
  serviceAccountName: {{ . }}
  {{- end }}
  automountServiceAccountToken: {{ not (empty .serviceAccount) }}
  enableServiceLinks: false
  securityContext: {{- include "fleet.podSecurity" (dict "root" .root) | nindent 4 }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toJson . }}
  {{- end }}
  {{- with .root.Values.services.defaults.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.services.defaults.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.services.defaults.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "fleet.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      command: [node, --input-type=module, --eval]
      args:
        - |
          {{- .root.Files.Get (printf "files/%s" .script) | nindent 10 }}
      env:
        {{- range $name, $value := .env }}
        - { name: {{ $name }}, value: {{ quote $value }} }
        {{- end }}
        {{- if $asAdmin }}
        - { name: ADMIN_KEY_FILE, value: {{ include "fleet.adminKeyFile" .root }} }
        {{- end }}
      securityContext: {{- include "fleet.containerSecurity" .root | nindent 8 }}
      resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { memory: 256Mi } }
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if $asAdmin }}
        - { name: admin-key, mountPath: {{ include "fleet.adminKeyFile" .root | dir }}, readOnly: true }
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: { sizeLimit: 16Mi } }
    {{- if $asAdmin }}
    - {{ include "fleet.adminKeyVolume" (dict "root" .root "optional" true) | nindent 6 | trim }}
    {{- end }}
{{- end -}}
