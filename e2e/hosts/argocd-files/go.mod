module krm-variants.dev/e2e/argocd-files

go 1.26.3

require github.com/argoproj/argo-cd/v3 v3.5.7

require (
	github.com/dlclark/regexp2 v1.12.0 // indirect
	github.com/gobwas/glob v0.2.3 // indirect
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8 // indirect
	github.com/sirupsen/logrus v1.9.4 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
