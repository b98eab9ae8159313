module krm-variants.dev/e2e/flux-controllers

go 1.26.0

require (
	github.com/fluxcd/kustomize-controller v1.9.6
	github.com/fluxcd/source-controller v1.9.6
)

replace github.com/fluxcd/kustomize-controller/api => github.com/fluxcd/kustomize-controller/api v1.9.6
replace github.com/fluxcd/source-controller/api => github.com/fluxcd/source-controller/api v1.9.6
replace github.com/opencontainers/go-digest => github.com/opencontainers/go-digest v1.0.1-0.20220411205349-bde1400a84be
// The module proxy lacks v0.18.3, which source-controller asks for.
replace github.com/fluxcd/pkg/artifact => github.com/fluxcd/pkg/artifact v0.18.0
