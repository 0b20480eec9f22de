{{/* Volumes that services and Jobs share, mounted at the same path in both. */}}

{{/*
All volumes as YAML: {volumes: [{name, mountPath, writer, services, source}]}; the work volume first. `writer` is all, the key of the
one service that writes to it, or none; Jobs write to the work volume alone.
*/}}
{{- define "fleet.volumes" -}}
{{- $volumes := list (dict "name" "work" "mountPath" .Values.storage.work.mountPath "writer" "all" "services" true "source" .Values.storage.work.source) -}}
{{- range .Values.storage.data -}}
{{- $volumes = append $volumes (dict "name" .name "mountPath" .mountPath "writer" "none" "services" true "source" .source) -}}
{{- end -}}
{{- with .Values.storage.uploads -}}
{{- if .source -}}
{{- $volumes = append $volumes (dict "name" "uploads" "mountPath" .mountPath "writer" "gateway" "services" true "source" .source) -}}
{{- end -}}
{{- end -}}
{{- range .Values.storage.software -}}
{{- $volumes = append $volumes (dict "name" .name "mountPath" .mountPath "writer" "none" "services" false "source" .source) -}}
{{- end -}}
{{- toYaml (dict "volumes" $volumes) -}}
{{- end -}}

{{/* The claim that a pod mounts: {root, volume, side: services | jobs}; empty for a folder of the node. */}}
{{- define "fleet.claimName" -}}
{{- $source := .volume.source -}}
{{- if $source.claim -}}
{{- if eq .side "jobs" }}{{ $source.claim.jobs | default $source.claim.services }}{{ else }}{{ $source.claim.services | default $source.claim.jobs }}{{ end -}}
{{- else if not (and $source.hostPath $source.hostPath.direct) -}}
{{- printf "%s-%s" (include "fleet.fullname" .root) .volume.name -}}
{{- end -}}
{{- end -}}

{{/* Whether a service writes to a volume: {volume, key} */}}
{{- define "fleet.writes" -}}
{{- if has .volume.writer (list "all" .key) }}true{{ end -}}
{{- end -}}

{{/* Volumes of a service's pod: {root, key} */}}
{{- define "fleet.serviceVolumes" -}}
{{- range $volume := (include "fleet.volumes" .root | fromYaml).volumes -}}
{{- if $volume.services }}
- name: {{ $volume.name }}
{{- $claim := include "fleet.claimName" (dict "root" $.root "volume" $volume "side" "services") }}
{{- if $claim }}
  persistentVolumeClaim:
    claimName: {{ quote $claim }}
    {{- if not (include "fleet.writes" (dict "volume" $volume "key" $.key)) }}
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

{{/* Mounts in its container: {root, key} */}}
{{- define "fleet.serviceMounts" -}}
{{- range $volume := (include "fleet.volumes" .root | fromYaml).volumes -}}
{{- if $volume.services }}
- name: {{ $volume.name }}
  mountPath: {{ quote $volume.mountPath }}
  {{- if not (include "fleet.writes" (dict "volume" $volume "key" $.key)) }}
  readOnly: true
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "fleet.workRoot" -}}
{{- .Values.storage.work.root | default .Values.storage.work.mountPath -}}
{{- end -}}

{{/* Folder of uploads; empty if uploads are disabled. */}}
{{- define "fleet.uploadRoot" -}}
{{- with .Values.storage.uploads }}{{ if .source }}{{ .root | default .mountPath }}{{ end }}{{ end -}}
{{- end -}}

{{/* Data roots of shared volumes, or of the others: {root, shared} */}}
{{- define "fleet.rootsOf" -}}
{{- $roots := list -}}
{{- range .root.Values.storage.data -}}
{{- if eq $.shared (.shared | default false) }}{{ $roots = concat $roots (.roots | default (list .mountPath)) }}{{ end -}}
{{- end -}}
{{- join ":" $roots -}}
{{- end -}}

{{- define "fleet.dataRoots" -}}
{{- $roots := list (include "fleet.rootsOf" (dict "root" . "shared" false)) -}}
{{- with include "fleet.uploadRoot" . }}{{ $roots = append $roots (printf "%s/{proposal}" .) }}{{ end -}}
{{- join ":" (compact $roots) -}}
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

{{/* The source of a static PersistentVolume: {source, side} */}}
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
