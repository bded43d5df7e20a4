{{- define "fairlead.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "fairlead.labels" -}}
{{ include "fairlead.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "fairlead.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "fairlead.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "fairlead.env" -}}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "fairlead.secrets" -}}
{{- $names := .Values.extraSecrets -}}
{{- with .Values.existingSecret -}}
{{- $names = prepend $names . -}}
{{- end -}}
{{- if $names -}}
envFrom:
  {{- range $names }}
  - secretRef:
      name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Changes with the contents of the secrets, as far as they can be read: "helm template" reads none. */}}
{{- define "fairlead.secretsChecksum" -}}
{{- $contents := dict -}}
{{- range prepend .Values.extraSecrets .Values.existingSecret -}}
{{- if . -}}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace . -}}
{{- $_ := set $contents . (get ($secret | default dict) "data" | default dict) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- with dig "valueFrom" "secretKeyRef" (dict) . -}}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace .name -}}
{{- $_ := set $contents .name (get ($secret | default dict) "data" | default dict) -}}
{{- end -}}
{{- end -}}
{{- $contents | toJson | sha256sum -}}
{{- end -}}
