{{- define "scheduler.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "scheduler.selector" -}}
app.kubernetes.io/name: clinic-scheduler
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "scheduler.labels" -}}
{{ include "scheduler.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "scheduler.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* What a pod may do: nothing but run. */}}
{{- define "scheduler.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "scheduler.container" -}}
image: {{ include "scheduler.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  - name: PUBLIC_URL
    value: {{ required "publicUrl: the address that people use" .Values.publicUrl | quote }}
  - name: TRUST_PROXY
    value: {{ required "trustProxy: the addresses of the proxies in front" .Values.trustProxy | quote }}
  - name: DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
  - name: SOLVER_WORKERS
    value: {{ .Values.solverWorkers | quote }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ required "existingSecret: a Secret with DATABASE_URL" .Values.existingSecret }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end -}}
