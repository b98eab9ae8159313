import type { RuleRecords } from './rule-record.ts'

/** Injection points of packages. */
export const INJECTION_RECORDS = {
  'inject-config': {
    severity: 'info',
    summary: 'How many injection points of the package are met by a resource',
    example: '`2 of 3 injection points are met`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/inject-config/merge-keys',
  },
  'injection-ambiguous': {
    severity: 'error',
    summary: 'Two injection points of the package have one kind and name, and so one condition',
    example: '`Network a` of two groups',
    toFix: 'Rename one',
    shownBy: 'testdata/inject-config/bad-annotations',
  },
  'injection-annotation': {
    severity: 'error',
    summary: '`kpt.dev/config-injection` is neither `required` nor `optional`',
    example: '`kpt.dev/config-injection: "true"`',
    toFix: 'Write `required` or `optional`',
    run: 'fn inject-config .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: site, annotations: {kpt.dev/config-injection: "true"}}
#                                                              ^
data: {}
# file: variant.yaml
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge-1, package: web}
  injectors: [{kind: ConfigMap, name: edge-1}]
`,
    good: ['"true"', 'required'],
    shownBy: 'testdata/inject-config/bad-annotations',
  },
  'injection-context': {
    severity: 'warning',
    summary: 'The package context is an injection point: what set-context wrote there is replaced as a whole',
    example: '`kpt.dev/config-injection` on `kptfile.kpt.dev`',
    toFix: 'Inject into another ConfigMap',
    shownBy: 'testdata/inject-config/package-context',
  },
  'injection-leftover': {
    severity: 'info',
    summary: 'A readiness gate or condition `config.injection.KIND.NAME` is of no (required) injection point of the package',
    why: 'No function removes the entry, and a gate without a condition is never fulfilled',
    example: 'a point was renamed',
    toFix: 'Remove the entry from the Kptfile, if you do not need it',
    shownBy: 'testdata/inject-config/readiness-gates',
  },
  'injection-source-ambiguous': {
    severity: 'error',
    summary: 'Two resources of the kind, name and namespace of the selected one are among the sources',
    example: '`sources/a.yaml` and `sources/b.yaml`',
    toFix: 'Remove one',
    shownBy: 'testdata/inject-config/source-twice',
  },
  'injection-stale': {
    severity: 'warning',
    summary: 'The next run would change the point, because its resource changed, is another one, or was never injected',
    why: '`inject-config` reports it with `check` only, `krm-variants check` in rendered packages of the folder',
    example: 'the VLAN in `sources/` changed',
    toFix: 'Run inject-config without `check`, or `krm-variants render`',
    shownBy: 'testdata/inject-config/check-by-config-map',
  },
  'injection-unmet': {
    severity: ['warning', 'error'],
    summary: 'Nothing was injected into the point',
    why: 'An error for a required point with `strict`',
    example: "no resource of the injector's name",
    toFix:
      'Add the resource below `sources/`, or fix the injector: the message lists the resources, and the injector with the fewest differences',
    run: 'fn inject-config .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: site, annotations: {kpt.dev/config-injection: required}}
#                                                              ^
data: {}
# file: variant.yaml
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge-1, package: web}
  injectors: [{kind: ConfigMap, name: edge-1}]
# file: sources/b.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: edge-2}
data: {vlan: "7"}
`,
    good: ['name: edge-1}]', 'name: edge-2}]'],
    shownBy: 'testdata/inject-config/strict',
  },
} as const satisfies RuleRecords
