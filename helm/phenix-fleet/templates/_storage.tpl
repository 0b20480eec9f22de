{{/* Volumes that services and Jobs share, mounted at the same path in both. */}}

{{/* All volumes as YAML: {volumes: [{name, mountPath, readOnly, services, source}]}; the work volume first. */}}
{{- define "fleet.volumes" -}}
{{- $volumes := list (dict "name" "work" "mountPath" .Values.storage.work.mountPath "readOnly" false "services" true "source" .Values.storage.work.source) -}}
{{- range .Values.storage.data -}}
{{- $volumes = append $volumes (dict "name" .name "mountPath" .mountPath "readOnly" true "services" true "source" .source) -}}
{{- end -}}
{{- range .Values.storage.software -}}
{{- $volumes = append $volumes (dict "name" .name "mountPath" .mountPath "readOnly" true "services" false "source" .source) -}}
{{- end -}}
{{- toYaml (dict "volumes" $volumes) -}}
{{- end -}}

{{/* The claim a pod mounts: {root, volume, side: services | jobs}; empty for a folder of the node. */}}
{{- define "fleet.claimName" -}}
{{- $source := .volume.source -}}
{{- if $source.claim -}}
{{- if eq .side "jobs" }}{{ $source.claim.jobs | default $source.claim.services }}{{ else }}{{ $source.claim.services | default $source.claim.jobs }}{{ end -}}
{{- else if not (and $source.hostPath $source.hostPath.direct) -}}
{{- printf "%s-%s" (include "fleet.fullname" .root) .volume.name -}}
{{- end -}}
{{- end -}}

{{/* Volumes of a service's pod. */}}
{{- define "fleet.serviceVolumes" -}}
{{- range $volume := (include "fleet.volumes" . | fromYaml).volumes -}}
{{- if $volume.services }}
- name: {{ $volume.name }}
{{- $claim := include "fleet.claimName" (dict "root" $ "volume" $volume "side" "services") }}
{{- if $claim }}
  persistentVolumeClaim:
    claimName: {{ quote $claim }}
    {{- if $volume.readOnly }}
    readOnly: true
    {{- end }}
{{- else if $volume.source.hostPath }}
  hostPath:
    path: {{ quote $volume.source.hostPath.path }}
    type: Directory
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "fleet.serviceMounts" -}}
{{- range $volume := (include "fleet.volumes" . | fromYaml).volumes -}}
{{- if $volume.services }}
- name: {{ $volume.name }}
  mountPath: {{ quote $volume.mountPath }}
  {{- if $volume.readOnly }}
  readOnly: true
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "fleet.workRoot" -}}
{{- .Values.storage.work.root | default .Values.storage.work.mountPath -}}
{{- end -}}

{{- define "fleet.dataRoots" -}}
{{- $roots := list -}}
{{- range .Values.storage.data -}}
{{- $roots = concat $roots (.roots | default (list .mountPath)) -}}
{{- end -}}
{{- join ":" $roots -}}
{{- end -}}

{{/* A volume as the settings file of the Jobs has it: {root, volume} */}}
{{- define "fleet.jobVolume" -}}
{{- $claim := include "fleet.claimName" (dict "root" .root "volume" .volume "side" "jobs") -}}
mountPath: {{ quote .volume.mountPath }}
{{- if $claim }}
claim: {{ quote $claim }}
{{- else if .volume.source.hostPath }}
hostPath: {{ quote .volume.source.hostPath.path }}
{{- end }}
{{- end -}}

{{/* What a static PersistentVolume is made of: {source, side} */}}
{{- define "fleet.persistentSource" -}}
{{- with .source.nfs -}}
{{- with .mountOptions }}
mountOptions: {{ toJson . }}
{{- end }}
nfs:
  server: {{ quote .server }}
  path: {{ quote .path }}
{{- end -}}
{{- with .source.hostPath -}}
hostPath:
  path: {{ quote .path }}
  type: Directory
{{- with .nodes }}
nodeAffinity:
  required:
    nodeSelectorTerms:
      - matchExpressions:
          - { key: kubernetes.io/hostname, operator: In, values: {{ toJson . }} }
{{- end }}
{{- end -}}
{{- $side := .side -}}
{{- with .source.csi -}}
{{- with .mountOptions }}
mountOptions: {{ toJson . }}
{{- end }}
csi:
  {{- $handle := eq $side "jobs" | ternary (.jobsVolumeHandle | default .volumeHandle) .volumeHandle }}
  {{- mergeOverwrite (omit . "jobsVolumeHandle" "mountOptions") (dict "volumeHandle" $handle) | toYaml | nindent 2 }}
{{- end -}}
{{- end -}}
