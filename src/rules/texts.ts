import type { RuleRecords } from './rule-record.ts'

/** YAML that an edit cannot change safely, and guards of the functions. */
export const TEXTS_RECORDS = {
  alias: {
    severity: 'error',
    summary: 'An edit would go through an alias (`*name`) and also change the value with the anchor',
    why: 'Or a value cannot be read: it has an alias of an anchor in another document, a merge key (`<<`) of a value that is no map, or aliases of aliases that make more than 200,000 values. Any other alias has the value of its anchor, any other merge key has the entries of its map, and the text of both is kept',
    example: '`labels: {<<: *unknown}`',
    toFix: 'Write the value out',
    shownBy: 'testdata/prepend-pipeline/pipeline-alias',
  },
  anchored: {
    severity: 'error',
    summary:
      'An edit would change a value with an anchor (`&name`), or a part of that value, and so also the value of an alias elsewhere in the object or in another object of the list',
    why: 'The result points at the alias; for an alias in another object, at the value',
    example: '`data: &pairs {a: b}` to be edited, and `binaryData: *pairs`',
    toFix: 'Write the value out in place of the alias',
    run: 'fn search-replace . -- by-value=nginx put-value=caddy',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: &pairs {a: nginx}
binaryData: *pairs
`,
    at: 'a.yaml:5:1',
    good: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {a: nginx}
binaryData: {a: nginx}
`,
    shownBy: 'testdata/set-context/data-anchored',
  },
  'comment-lost': {
    severity: 'warning',
    summary: 'A comment that people wrote in a package is lost',
    why: 'Upstream removed or replaced the field or entry that had the comment, or the variant removed the function of the pipeline that had the comment',
    example: '`replicas: 3 # for the sale`, and upstream has no `replicas` any more',
    toFix: 'Write the comment elsewhere if it is still true',
    shownBy: 'testdata/prepend-pipeline/comment-lost',
  },
  'duplicate-key': {
    severity: 'error',
    summary: 'A map has the same key more than once',
    why: 'Some readers use the first value, some the last, and readers in Go refuse the map. Functions report the key in the objects that they read, the tool in every resource of the folder',
    example: '`name: a` in line 26 and `name: b` in line 31',
    toFix: 'Remove one; often a `-` is missing before the second, or the line `---` between two objects',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      labels: {site: north, site: south}
      #                     ^
`,
    good: [', site: south', ''],
    shownBy: 'testdata/prepend-pipeline/kptfile-duplicate-key',
  },
  'duplicate-object': {
    severity: ['error', 'warning'],
    summary:
      'One package holds two objects of one group, kind, namespace and name, so it is not clear which to update; or set-namespace would make one object of two',
    why: '`check` warns of it, since kpt accepts it; a cluster keeps one of the two, by the order of the files',
    example: 'two `ConfigMap kptfile.kpt.dev` in one package',
    toFix: 'Remove one, or rename it',
    run: 'fn set-namespace . -- namespace=shop',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: old}
data: {}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
#                              ^
data: {}
`,
    good: ['name: a, namespace: shop', 'name: b, namespace: shop'],
    shownBy: 'testdata/set-namespace/twins',
  },
  'empty-package': {
    severity: 'error',
    summary: 'A function would leave no item at all, and kpt would delete every file of the package',
    example: 'the last variant is removed from a list that contains nothing else',
    toFix: 'Keep the Kptfile among the items',
    shownBy: 'testdata/rules.test.ts',
  },
  'explicit-key': {
    severity: 'error',
    summary: 'A map that must be edited has a key behind `? `, where an edit does not know its place',
    example: '`? name`',
    toFix: 'Write `name: …`',
    shownBy: 'testdata/set-context/explicit-key',
  },
  'field-path': {
    severity: 'error',
    summary: 'A function written with the SDK names a field by something else than a list of keys and indexes',
    example: "`item.set('spec.replicas', 3)`",
    toFix: "`item.set(['spec', 'replicas'], 3)`",
    shownBy: 'testdata/rules.test.ts',
  },
  'plain-json': {
    severity: 'error',
    summary:
      'A function set or reported a value that no JSON has: a Date, a Map, a function, `undefined`, NaN, an instance of a class, a list with holes, a value that contains itself',
    why: 'The finding is at the value',
    example: "`item.set(['data', 'at'], new Date())`",
    toFix: 'Convert it to a text, number, list or plain record: `new Date().toISOString()`',
    shownBy: 'testdata/rules.test.ts',
  },
  'unusual-layout': {
    severity: 'error',
    summary:
      'A value to edit has a layout in which the edit would change something else: after a tab, a tag or an anchor of a key, behind `---` on its line, in a pair without braces in a list',
    example: '`!!str name: a`',
    toFix: 'Write `name: a`: no tab, no tag, braces around the pair, `---` on a line of its own',
    shownBy: 'testdata/set-context/data-unusual-layout',
  },
} as const satisfies RuleRecords
