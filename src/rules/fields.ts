import type { RuleRecords } from './rule-record.ts'

/** Values of any object: required fields, types, names, labels. */
export const FIELDS_RECORDS = {
  'allowed-values': {
    severity: 'error',
    fix: 'unsafe',
    summary: 'The field takes only certain values; `apiVersion` and `kind` take one',
    example: '`adoptionPolicy: adopt`',
    toFix: 'Use one of the values in the message; `proposedValue` is the nearest',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      adoptionPolicy: adopt
      #               ^
`,
    good: [': adopt', ': adoptExisting'],
    shownBy: 'testdata/ensure-name-substring/unknown-mode',
  },
  'ambiguous-string': {
    severity: 'warning',
    fix: 'safe',
    summary: 'A plain `yes`, `no`, `on`, `off`, `y` or `n` where a string is wanted',
    why: 'YAML 1.1 readers, Porch among them, read a boolean; here the value is the string',
    example: '`data: {enabled: yes}`',
    toFix: 'Put the value in quotes',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      labels: {enabled: yes}
      #                 ^
`,
    good: [': yes', ': "yes"'],
    shownBy: 'testdata/fan-out/tolerated-shapes',
  },
  'annotation-key': {
    severity: ['warning', 'error'],
    summary:
      'A template gives an annotation with a key that an API server refuses; the PackageVariant is accepted and never gets a package revision (warning)',
    why: 'Or an object of the folder has such a key (error of `check`)',
    example: `\`keyExpr: "'owner of ' + target.name"\``,
    toFix: 'A key such as `env` or `example.com/env`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      annotations: {"owner of web": team}
      #             ^
`,
    good: ['"owner of web"', 'example.com/owner'],
    shownBy: 'testdata/cli/mistake-annotation-key',
  },
  'blank-label': {
    severity: 'warning',
    summary: 'A label or annotation of a target, a Repository or another object of the fleet has no value',
    why: 'Selectors and expressions see it as absent',
    example: '`env: null`, `env:`',
    toFix: "Remove it, or write `''` for an empty text",
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {env: }}
#                                 ^
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {env: prod}}
`,
    good: ['{env: }', '{env: prod}'],
    shownBy: 'testdata/fan-out/blank-label',
  },
  'duplicate-name': {
    severity: 'error',
    summary: 'Two entries of a list of a matrix have one name',
    example: 'two overrides named `hubs`',
    toFix: 'Give one of them another name',
    bad: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
  overrides:
  - {name: hubs, template: {labels: {a: b}}}
  - {name: hubs, template: {labels: {c: d}}}
  #        ^
`,
    good: ['{name: hubs, template: {labels: {c', '{name: stores, template: {labels: {c'],
    shownBy: 'testdata/cli/mistake-matrix-two-rings-of-one-name',
  },
  empty: {
    severity: 'error',
    summary: 'A name or list is empty and must not be',
    example: '`repositories: []`',
    toFix: 'Write a value, or remove the field',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: []
  # ^
`,
    good: ['[]', '[{name: edge-1}]'],
    shownBy: 'testdata/check-policies/fan-out-refused',
  },
  'exclusive-fields': {
    severity: 'error',
    summary:
      'A fixed field and its `Expr` are both set, empty strings included; or a field of set-annotations under its new and its old name',
    example: `\`{repo: a, repoExpr: "'b'"}\``,
    toFix: 'Keep one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {repo: edge-1, repoExpr: "'edge-2'"}
      #                          ^
`,
    good: [`, repoExpr: "'edge-2'"`, ''],
    shownBy: 'testdata/set-image/tag-and-digest',
  },
  'label-key': {
    severity: ['warning', 'error'],
    summary:
      'A template gives a label with a key that an API server refuses; the PackageVariant is accepted and never gets a package revision (warning)',
    why: 'Or an object of the folder has such a key (error of `check`)',
    example: '`labels: {team name: a}`',
    toFix: 'A key such as `env` or `example.com/env`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      labels: {"the site": north}
      #        ^
`,
    good: ['"the site"', 'site'],
    shownBy: 'testdata/cli/mistake-label-key',
  },
  'label-selector': {
    severity: 'error',
    summary: 'An API server refuses the selector: a bad label key or value, `In` without values, `Exists` with values',
    example: '`matchExpressions: [{key: env, operator: In}]`',
    toFix: 'As the message says',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector:
      matchExpressions: [{key: env, operator: In, values: []}]
      #                                           ^
`,
    good: ['values: []', 'values: [prod]'],
    shownBy: 'testdata/fan-out/label-selector',
  },
  'label-value': {
    severity: ['warning', 'error'],
    summary:
      'A template gives a label value that an API server refuses; the PackageVariant is accepted and never gets a package revision (warning)',
    why: 'Or an object of the folder has such a value (error of `check`)',
    example: `\`valueExpr: "'Team ' + target.name"\``,
    toFix: 'At most 63 letters, digits, `-`, `_` and `.`, or an annotation',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      labels: {site: "north side"}
      #              ^
`,
    good: ['"north side"', 'north-side'],
    shownBy: 'testdata/fan-out/map-expr-forms',
  },
  minimum: {
    severity: 'error',
    summary: 'The number is too small, or too large to be read as written',
    example: '`maxDeletions: -1`, `revision: -2`',
    toFix: 'Use a number that the message allows',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: -2}
  #                                                 ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['-2', '2'],
    shownBy: 'testdata/fan-out/revision-below',
  },
  'object-name': {
    severity: 'error',
    summary: 'An API server refuses `metadata.name` or `metadata.namespace`',
    example: '`name: upf-SITE_NAME`',
    toFix: 'Small letters, digits, `-` and `.`',
    shownBy: 'testdata/fan-out/object-names',
  },
  pattern: {
    severity: 'error',
    summary: 'The text does not have the form that the field requires',
    example: '`maxDeletions: many`',
    toFix: 'Write it like the examples in the message',
    shownBy: 'testdata/check-dependencies/clusters-pattern-faults',
  },
  placeholder: {
    severity: ['error', 'warning'],
    summary: '`${NAME}`, `$name` or `{{ name }}` is left in a value',
    why: 'In `metadata.name`, `metadata.namespace` or an expression: error; elsewhere, and between the quotes of a text of an expression: warning. Hashed passwords (`$6$…`) are no placeholders, nor is what functions replace: the options of search-replace, and a value whose setter comment names the placeholder',
    example: '`repoExpr: ${CLUSTER}`',
    toFix: 'Replace it before the run; in an expression use a variable such as `target.name`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {repo: "\${CLUSTER}"}
      #                  ^
`,
    good: ['"${CLUSTER}"', 'edge-1'],
    shownBy: 'testdata/fan-out/placeholders',
  },
  required: {
    severity: 'error',
    summary: 'The field is missing',
    example: '`upstream: {repo: a}` without `package`',
    toFix: 'Set it',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, revision: 1}
# ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['repo: catalog', 'repo: catalog, package: web'],
    shownBy: 'testdata/search-replace/no-metadata',
  },
  'single-entry': {
    severity: 'warning',
    fix: 'safe',
    summary: 'One map in the place of a list of maps; the map is read as the only entry',
    why: 'Porch refuses it',
    example: '`injectors: {name: a}`',
    toFix: 'Put a `-` before the map; `proposedValue` is the list',
    shownBy: 'testdata/fan-out/example-prod-hr',
  },
  'unknown-field': {
    severity: 'error',
    fix: 'unsafe',
    summary: 'The object has no such field at this place; an API server drops or refuses the field',
    why: 'A warning for an option that a built-in function ignores',
    example: '`packageName: a`',
    toFix: 'The name in "did you mean", or the place that the message names',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1, packageName: web}]
  #                               ^
`,
    good: ['packageName: web', 'packageNames: [web]'],
    shownBy: 'testdata/set-context/unknown-fields',
  },
  'unknown-kind': {
    severity: ['warning', 'error'],
    fix: 'unsafe',
    summary: 'An item has a kind that is none of its group but near one: of Porch, kpt, Carvel, Crossplane or Glasskube',
    why: 'In our own groups `fn.krm-variants.dev` and `fleet.krm-variants.dev` every other kind is an error. A PackageVariant, PackageVariantSet, FleetPolicy, PackageVariantMatrix or PackageRevisionSet of another group counts too. Nothing reads such an item',
    example: '`kind: PackageVariantSte`, `kind: Configurations` of `pkg.crossplane.io`, `kind: Catalogue`',
    toFix: 'The name in "did you mean"',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSte
#     ^
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['VariantSte', 'VariantSet'],
    shownBy: 'testdata/fan-out/unknown-kinds-of-others',
  },
  'wrong-type': {
    severity: 'error',
    fix: 'safe',
    summary: 'The value has another type; a warning in the pipeline of a Kptfile, where kpt reads a number or boolean as its text',
    why: 'For a number or boolean without quotes `proposedValue` is the text in quotes, unless the field may also be an integer that is too large; for one entry the list of it, for a list of pairs the map',
    example: '`cluster-id: 1`',
    toFix: 'As proposed',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      labels: {cluster-id: 1}
      #                    ^
`,
    good: ['cluster-id: 1', 'cluster-id: "1"'],
    shownBy: 'testdata/set-image/wrong-types',
  },
} as const satisfies RuleRecords
