import type { RuleRecords } from './rule-record.ts'

/** Templates of targets, and the expressions in them. */
export const TEMPLATES_RECORDS = {
  'config-path-and-map': {
    severity: 'warning',
    summary: 'A function has `configPath` and `configMap` (or `configMapExprs`)',
    why: 'The set controller passes the function on, and kpt refuses to run it',
    example: '`{image: a, configPath: c.yaml, configMap: {k: v}}`',
    toFix: 'Keep one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      pipeline:
        mutators:
        - {image: set-labels:v0.1.5, configPath: c.yaml, configMap: {a: b}}
        # ^
`,
    good: [', configMap: {a: b}', ''],
    shownBy: 'testdata/fan-out/tolerated-shapes',
  },
  'empty-downstream': {
    severity: 'error',
    summary: "An expression gives '' as downstream repository or package",
    example: `\`repoExpr: "''"\``,
    toFix: 'Write an expression that gives a name, or remove the field for the default',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {repoExpr: "''"}
      #                      ^
`,
    good: [`"''"`, 'target.repo'],
    shownBy: 'testdata/fan-out/illegal-names',
  },
  'expression-as-text': {
    severity: 'warning',
    summary: 'A field that is not evaluated contains an expression',
    example: '`repo: target.name`',
    toFix: 'Write the expression into the field that is evaluated: `repoExpr`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {repo: target.repo}
      #                  ^
`,
    good: ['repo: target', 'repoExpr: target'],
    shownBy: 'testdata/cli/mistake-expression-as-text',
  },
  'expression-compile': {
    severity: 'error',
    summary:
      "An expression is no CEL, has types that do not fit, or uses an unknown variable or function, or a field that the schema of an input's kind does not have",
    why: 'Tried also when no target uses it',
    example: "`valueExpr: target.name.split('-')`",
    toFix: 'As the hint below the message says; Porch has the standard library only: [`docs/cel.md`](cel.md) shows all of it',
    shownBy: 'testdata/fan-out/expression-compiled-without-target',
  },
  'expression-convert': {
    severity: 'error',
    summary: 'An expression gives something else than a string',
    example: '`valueExpr: size(target.name)`',
    toFix: '`string(…)` around it',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {packageExpr: size(target.package)}
`,
    good: ['size(target.package)', 'string(size(target.package))'],
    shownBy: 'testdata/fan-out/expression-errors',
  },
  'expression-eval': {
    severity: 'error',
    summary: 'An expression fails for some targets; the message names the first three targets, and for a missing key the existing keys',
    example: '`valueExpr: repository.labels.zone`',
    toFix: "Set the label, or `has(repository.labels.zone) ? repository.labels.zone : 'none'`",
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {packageExpr: repository.labels.zone}
`,
    good: ['labels: {}', 'labels: {zone: north}'],
    shownBy: 'testdata/fan-out/without-lookups-but-used',
  },
  'function-configs': {
    severity: 'error',
    summary: 'A function has two of `configPath`, `configMap` and `configRef`; kpt takes one functionConfig',
    example: '`{image: a, configPath: c.yaml, configMap: {k: v}}`',
    toFix: 'Keep one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      pipeline:
        mutators:
        - {image: set-labels:v0.1.5, configPath: c.yaml, configRef: {kind: ConfigMap, name: a}}
        #                                                ^
`,
    good: [', configRef: {kind: ConfigMap, name: a}', ''],
    shownBy: 'testdata/prepend-pipeline/config-ref-faults',
  },
  'function-name': {
    severity: 'error',
    summary: 'A function of a template has a dot in its name; the PackageVariant controller recognises its own functions by their dots',
    example: '`name: set.labels`',
    toFix: 'Use `-`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      pipeline:
        mutators:
        - {name: set.labels, image: set-labels:v0.1.5, configMap: {a: b}}
        #        ^
`,
    good: ['set.labels,', 'labels,'],
    shownBy: 'testdata/fan-out/all-faults-of-a-set',
  },
  'function-program': {
    severity: ['error', 'warning'],
    summary: 'A function has neither `image` nor `exec`, or has both',
    why: 'A warning for `exec` in a template: Porch refuses it there, and kpt runs it with `--allow-exec` only',
    example: '`- name: ns`',
    toFix: 'Name the program',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {name: labels}
  # ^
`,
    good: ['name: labels', 'image: set-labels:v0.1.5, configMap: {a: b}'],
    shownBy: 'testdata/prepend-pipeline/function-faults',
  },
  'injector-name': {
    severity: 'error',
    summary: 'An injector of a template has neither `name` nor `nameExpr`',
    example: '`injectors: [{kind: WorkloadCluster}]`',
    toFix: 'Set one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      injectors:
      - {kind: ConfigMap}
      # ^
`,
    good: ['kind: ConfigMap', 'kind: ConfigMap, name: site'],
    shownBy: 'testdata/fan-out/all-faults-of-a-set',
  },
  'map-entry': {
    severity: ['error', 'warning'],
    summary:
      'An entry of `labelExprs`, `annotationExprs`, `dataExprs` or `configMapExprs` lacks its key (error), or its value (warning): the value is then an empty string, as in Porch',
    why: 'An empty key is refused by an API server',
    example: '`labelExprs: [{key: org}]`',
    toFix: 'Set `value` or `valueExpr` (`key` or `keyExpr`)',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      labelExprs:
      - {key: site}
      # ^
`,
    good: ['key: site', 'key: site, valueExpr: target.repo'],
    shownBy: 'testdata/fan-out/map-entry',
  },
} as const satisfies RuleRecords
