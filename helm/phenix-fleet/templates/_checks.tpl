{{/* What the schema cannot say: values that contradict each other, and values without a sensible default. */}}
{{- define "fleet.check" -}}
{{- $known := "claim, nfs, csi, hostPath, newClaim" -}}
{{- $direct := false -}}
{{- range $volume := (include "fleet.volumes" . | fromYaml).volumes -}}
{{- $what := $volume.name | eq "work" | ternary "storage.work.source" (printf "the source of volume %s" $volume.name) -}}
{{- if not $volume.source -}}
{{- fail (printf "%s is empty: say what the volume is, with one of %s." $what $known) -}}
{{- end -}}
{{- if and $volume.source.newClaim (include "fleet.jobsApart" $) -}}
{{- fail (printf "%s: a new claim serves one namespace. Take nfs, csi or claim, or set jobs.namespace.name to %s and jobs.namespace.create to false." $what $.Release.Namespace) -}}
{{- end -}}
{{- if and $volume.source.claim (include "fleet.jobsApart" $) (or (not $volume.source.claim.jobs) (and $volume.services (not $volume.source.claim.services))) -}}
{{- fail (printf "%s.claim: name a claim in each of the two namespaces, services and jobs." $what) -}}
{{- end -}}
{{- if and $volume.source.hostPath $volume.source.hostPath.direct }}{{ $direct = true }}{{ end -}}
{{- end -}}
{{- if not .Values.storage.data -}}
{{- fail "storage.data is empty: name at least one volume that submitted files may come from." -}}
{{- end -}}
{{- $names := list -}}
{{- range (include "fleet.volumes" . | fromYaml).volumes -}}
{{- if has .name $names }}{{ fail (printf "storage: two volumes are called %s." .name) }}{{ end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- if not .Values.jobs.sources -}}
{{- fail "jobs.sources is empty: say where the programs come from, for instance an image with PHENIX." -}}
{{- end -}}
{{- if and $direct .Values.jobs.namespace.create (eq .Values.jobs.namespace.podSecurity "restricted") -}}
{{- fail "hostPath.direct is refused by Pod Security \"restricted\": set jobs.namespace.podSecurity to privileged, or leave direct out (a PersistentVolume is then made of the folder)." -}}
{{- end -}}
{{- if and .Values.jobs.namespace.create (not (include "fleet.jobsApart" .)) -}}
{{- fail "jobs.namespace.create: the Jobs' namespace is the release's own, which is there already; set it to false." -}}
{{- end -}}
{{- $admin := mergeOverwrite (deepCopy .Values.config) (deepCopy (.Values.services.gateway.config | default dict)) -}}
{{- if and .Values.upgrade.drain.enabled (eq ($admin.FLEET_ADMIN_API | default "on") "off") -}}
{{- fail "upgrade.drain.enabled: the hooks ask the gateway's /v1/admin, which FLEET_ADMIN_API: off has switched off." -}}
{{- end -}}
{{- if and .Values.gateway.ingress.enabled (not .Values.gateway.ingress.hosts) -}}
{{- fail "gateway.ingress.hosts is empty: name the host under which the gateway answers." -}}
{{- end -}}
{{- if and .Values.gateway.httpRoute.enabled (not .Values.gateway.httpRoute.parentRefs) -}}
{{- fail "gateway.httpRoute.parentRefs is empty: name the Gateway that the route belongs to." -}}
{{- end -}}
{{- range $key, $service := include "fleet.services" . | fromYaml -}}
{{- if and (eq $key "executorWorker") (not $service.serviceAccount.create) (not $service.serviceAccount.name) -}}
{{- fail "services.executorWorker.serviceAccount: name the account that exists; without a name, every pod of the namespace would get the executor's rights." -}}
{{- end -}}
{{- with $service.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "services.%s.autoscaling: minReplicas is %d, more than maxReplicas, %d." $key (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- if le (int $service.terminationGracePeriodSeconds) (add $service.drainSeconds 5 | int) -}}
{{- fail (printf "services.%s.terminationGracePeriodSeconds: its steps may take %d s to end, it needs more than %d." $key (int $service.drainSeconds) (add $service.drainSeconds 5 | int)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
