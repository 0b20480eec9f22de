{{/* The pod of a hook or test: {root, component, script, args, env, uid, serviceAccount?}. Its script lies in files/. */}}
{{- define "fleet.scriptPod" -}}
{{- $root := .root -}}
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
  containers:
    - name: {{ .component }}
      image: {{ include "fleet.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      {{- with .script }}
      command: [node, --input-type=module, --eval]
      args:
        - |
          {{- $root.Files.Get (printf "files/%s" .) | nindent 10 }}
      {{- end }}
      {{- with .args }}
      args: {{ toJson . }}
      {{- end }}
      env:
        {{- range $name, $value := .env }}
        - { name: {{ $name }}, value: {{ quote $value }} }
        {{- end }}
      securityContext: {{- include "fleet.containerSecurity" .root | nindent 8 }}
      resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { memory: 256Mi } }
      volumeMounts: [{ name: tmp, mountPath: /tmp }]
  volumes: [{ name: tmp, emptyDir: { sizeLimit: 16Mi } }]
{{- end -}}
