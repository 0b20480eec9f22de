{{/* Checks that the schema cannot express: contradictory values, values without a sensible default, and removed values. */}}
{{- define "fleet.check" -}}
{{- include "fleet.checkGone" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" (include "fleet.fullname" .)) -}}
{{- fail (printf "%s is not a valid Service name (starts with a letter, no dots). Set fullnameOverride." (include "fleet.fullname" .)) -}}
{{- end -}}
{{- $known := "claim, nfs, csi, hostPath, newClaim" -}}
{{- $direct := false -}}
{{- range $volume := (include "fleet.volumes" . | fromYaml).volumes -}}
{{- $what := $volume.name | eq "work" | ternary "storage.work.source" (printf "the source of volume %s" $volume.name) -}}
{{- if not $volume.source -}}
{{- fail (printf "%s is empty. Set one of %s." $what $known) -}}
{{- end -}}
{{- if and $volume.source.newClaim (include "fleet.jobsApart" $) -}}
{{- fail (printf "%s: a new claim serves one namespace only. Use nfs, csi or claim, or set jobs.namespace.name to %s and jobs.namespace.create to false." $what $.Release.Namespace) -}}
{{- end -}}
{{- if and $volume.source.claim (include "fleet.jobsApart" $) (or (not $volume.source.claim.jobs) (and $volume.services (not $volume.source.claim.services))) -}}
{{- fail (printf "%s.claim: set a claim in each of the two namespaces, services and jobs." $what) -}}
{{- end -}}
{{- if and $volume.source.hostPath $volume.source.hostPath.direct }}{{ $direct = true }}{{ end -}}
{{- end -}}
{{- if not .Values.storage.data -}}
{{- fail "storage.data is empty. Add at least one volume with data." -}}
{{- end -}}
{{- $names := list -}}
{{- $paths := list -}}
{{- range (include "fleet.volumes" . | fromYaml).volumes -}}
{{- if has .name $names }}{{ fail (printf "storage: two volumes have the name %s." .name) }}{{ end -}}
{{- if has (clean .mountPath) $paths }}{{ fail (printf "storage: two volumes are mounted at %s." (clean .mountPath)) }}{{ end -}}
{{- $names = append $names .name -}}
{{- $paths = append $paths (clean .mountPath) -}}
{{- end -}}
{{- include "fleet.checkInside" (dict "what" "storage.work.root" "folder" (include "fleet.workRoot" .) "volume" .Values.storage.work) -}}
{{- with .Values.storage.uploads -}}
{{- if and .root (not .source) -}}
{{- fail "storage.uploads.source is empty, but storage.uploads.root is set. Set the source, or remove the root." -}}
{{- end -}}
{{- with include "fleet.uploadRoot" $ }}{{ include "fleet.checkInside" (dict "what" "storage.uploads.root" "folder" . "volume" $.Values.storage.uploads) }}{{ end -}}
{{- end -}}
{{- $ofGateway := mergeOverwrite (deepCopy .Values.config) (deepCopy (.Values.services.gateway.config | default dict)) -}}
{{- $keys := or .Values.access.initialAdminKey.enabled (ne ($ofGateway.FLEET_OPEN_ACCESS | default "") "anywhere") -}}
{{- range $volume := .Values.storage.data -}}
{{- range $volume.roots }}{{ include "fleet.checkInside" (dict "what" (printf "a root of volume %s" $volume.name) "folder" . "volume" $volume) }}{{ end -}}
{{- if and $keys (not $volume.shared) -}}
{{- range $root := ($volume.roots | default (list $volume.mountPath)) -}}
{{- if not (contains "{proposal}" (base $root)) -}}
{{- fail (printf "storage.data: %s of volume %s does not identify the owners of folders. Write its roots as a template, such as [%s/{proposal}] or [%s/{beamline}/{year}/{proposal}], or set shared: true if every user may read it (docs/access.md)." $root $volume.name $root $root) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not .Values.jobs.sources -}}
{{- fail "jobs.sources is empty. Add a source of programs, such as an image with PHENIX." -}}
{{- end -}}
{{- if and $direct .Values.jobs.namespace.create (ne .Values.jobs.namespace.podSecurity "privileged") -}}
{{- fail (printf "hostPath.direct is refused by Pod Security %q: set jobs.namespace.podSecurity to privileged, or remove direct (the chart then creates a PersistentVolume of the folder)." .Values.jobs.namespace.podSecurity) -}}
{{- end -}}
{{- if and .Values.jobs.namespace.create (not (include "fleet.jobsApart" .)) -}}
{{- fail "jobs.namespace.create: the Jobs' namespace is that of the release and exists already. Set it to false." -}}
{{- end -}}
{{- if and .Values.upgrade.drain.enabled (eq ($ofGateway.FLEET_ADMIN_API | default "on") "off") -}}
{{- fail "upgrade.drain.enabled: the hooks need /v1/admin, which FLEET_ADMIN_API: off disables." -}}
{{- end -}}
{{- include "fleet.checkDatabase" . -}}
{{- if and .Values.redis.external.caKey (not .Values.redis.external.existingSecret) -}}
{{- fail "redis.external.caKey is set, but redis.external.existingSecret is empty, and the bundled Redis has no TLS. Set the Secret, or remove the key." -}}
{{- end -}}
{{- if and .Values.gateway.ingress.enabled (not .Values.gateway.ingress.hosts) -}}
{{- fail "gateway.ingress.hosts is empty. Set the host name of the gateway." -}}
{{- end -}}
{{- if and .Values.gateway.httpRoute.enabled (not .Values.gateway.httpRoute.parentRefs) -}}
{{- fail "gateway.httpRoute.parentRefs is empty. Set the Gateway of the route." -}}
{{- end -}}
{{- if and .Values.oidc.issuer (not .Values.oidc.audience) -}}
{{- fail "oidc.audience is empty, so tokens for any other service would be accepted. Set the audience (aud) of the provider's tokens." -}}
{{- end -}}
{{- if and (not .Values.oidc.issuer) (or .Values.oidc.audience .Values.oidc.claims .Values.oidc.deviceClient .Values.oidc.clientId) -}}
{{- fail "oidc.issuer is empty, and oidc.audience, oidc.claims, oidc.deviceClient or oidc.clientId is not. Set the issuer, or remove them." -}}
{{- end -}}
{{- if and .Values.oidc.clientId (not (hasPrefix "https://" .Values.gateway.publicUrl)) -}}
{{- fail "gateway.publicUrl is not an https URL, but oidc.clientId is set. The provider redirects browsers to a URL below it." -}}
{{- end -}}
{{- if and (not .Values.oidc.clientId) (or .Values.oidc.clientSecret.existingSecret .Values.oidc.name) -}}
{{- fail "oidc.clientId is empty, but oidc.clientSecret or oidc.name is set. Set the client id, or remove them." -}}
{{- end -}}
{{- if and .Values.mail.existingSecret (not (and .Values.mail.from .Values.mail.domains)) -}}
{{- fail "mail.from or mail.domains is empty. Set the sender address and the allowed domains." -}}
{{- end -}}
{{- if and (not .Values.mail.existingSecret) (or .Values.mail.from .Values.mail.domains) -}}
{{- fail "mail.existingSecret is empty, but mail.from or mail.domains is set. Set the Secret with the mail server's URL, or remove them." -}}
{{- end -}}
{{- include "fleet.checkPrediction" . -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.metrics.from) (include "fleet.kedaAsksGateways" .) -}}
{{- fail "networkPolicy.metrics.from is empty, but KEDA queries the gateways for backlogs. Add its namespace, or set prometheusAddress." -}}
{{- end -}}
{{- include "fleet.checkModels" . -}}
{{- $services := include "fleet.services" . | fromYaml -}}
{{- $executorAccount := include "fleet.serviceAccountName" (dict "root" . "component" "executor-worker" "service" $services.executorWorker) -}}
{{- $accounts := list -}}
{{- range $key, $service := $services -}}
{{- $account := include "fleet.serviceAccountName" (dict "root" $ "component" $service.component "service" $service) -}}
{{- if and (eq $key "executorWorker") (not $service.serviceAccount.create) (not $service.serviceAccount.name) -}}
{{- fail "services.executorWorker.serviceAccount: set the name of the existing account. Without it, every pod of the namespace would get the executor's rights." -}}
{{- end -}}
{{- if and (ne $key "executorWorker") (eq $account $executorAccount) -}}
{{- fail (printf "services.%s.serviceAccount: %s is the executor's account, with its rights. Set a separate name, or none." $key $account) -}}
{{- end -}}
{{- if and $service.serviceAccount.create (has $account $accounts) -}}
{{- fail (printf "services.%s.serviceAccount: another service creates the account %s already. Set a separate name, or none." $key $account) -}}
{{- end -}}
{{- $accounts = append $accounts $account -}}
{{- if $service.autoscaling.enabled }}{{ include "fleet.checkScaling" (dict "key" $key "service" $service) }}{{ end -}}
{{- if le (int $service.terminationGracePeriodSeconds) (add $service.drainSeconds 5 | int) -}}
{{- fail (printf "services.%s.terminationGracePeriodSeconds: its steps may take %d s to end. Set more than %d." $key (int $service.drainSeconds) (add $service.drainSeconds 5 | int)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Values of the releases that stored the records in Redis. */}}
{{- define "fleet.checkGone" -}}
{{- if .Values.redis.bundled.persistence -}}
{{- fail "redis.bundled.persistence is no longer supported: Redis stores nothing permanent. For the records in PostgreSQL see database.server.persistence and database.cluster.storage." -}}
{{- end -}}
{{- $configs := dict "config" .Values.config -}}
{{- range $key, $service := .Values.services }}{{ $_ := set $configs (printf "services.%s.config" $key) $service.config }}{{ end -}}
{{- range $where, $config := $configs -}}
{{- range $name, $_ := $config -}}
{{- if has $name (list "FLEET_ARCHIVE_INTERVAL_MS" "FLEET_SESSION_RETENTION_DAYS") -}}
{{- fail (printf "%s.%s is no longer supported: records of ended sessions stay in PostgreSQL. Remove it." $where $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Sequences leave the site only if jobs.prediction permits it: the egress rules of programs depend on it. */}}
{{- define "fleet.checkPrediction" -}}
{{- with .Values.jobs.prediction -}}
{{- $vendor := eq .service "vendor" -}}
{{- if and $vendor $.Values.networkPolicy.enabled (not .cidrs) -}}
{{- fail "jobs.prediction.cidrs is empty, but jobs.prediction.service is vendor. Set the addresses of its service." -}}
{{- end -}}
{{- if and .cidrs (not $vendor) -}}
{{- fail (printf "jobs.prediction.cidrs is set, but jobs.prediction.service is %s. Set it to vendor, or remove the addresses." .service) -}}
{{- end -}}
{{- range $rule := $.Values.jobs.egress -}}
{{- $anywhere := empty $rule.to -}}
{{- range $rule.to }}{{ if and .ipBlock (hasSuffix "/0" .ipBlock.cidr) }}{{ $anywhere = true }}{{ end }}{{ end -}}
{{- if and $anywhere (not $vendor) -}}
{{- fail (printf "jobs.egress allows any address, but jobs.prediction.service is %s. Set the addresses." $.Values.jobs.prediction.service) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* {key, service} */}}
{{- define "fleet.checkScaling" -}}
{{- $key := .key -}}
{{- $by := include "fleet.scaledBy" . -}}
{{- $component := .service.component -}}
{{- with .service.autoscaling -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- fail (printf "services.%s.autoscaling: minReplicas is %d, more than maxReplicas, %d." $key (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- if and (eq $by "backlog") (eq $component "gateway") -}}
{{- fail "services.gateway.autoscaling: by is backlog, but no steps wait for a gateway. Use cpu." -}}
{{- end -}}
{{- if and (eq .kind "hpa") .triggers -}}
{{- fail (printf "services.%s.autoscaling: triggers need KEDA, but kind is hpa. Use keda, or remove them." $key) -}}
{{- end -}}
{{- if and .prometheusAddress (or (eq .kind "hpa") (eq $by "cpu")) -}}
{{- fail (printf "services.%s.autoscaling: prometheusAddress is for kind keda by backlog, and this is %s by %s. Remove it." $key .kind $by) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* {what, folder, volume}: a folder outside the volume would be in the container's own file system. */}}
{{- define "fleet.checkInside" -}}
{{- if not (hasPrefix (printf "%s/" (clean .volume.mountPath)) (printf "%s/" (clean .folder))) -}}
{{- fail (printf "%s, %s, is not in its volume, which is mounted at %s." .what .folder .volume.mountPath) -}}
{{- end -}}
{{- end -}}
