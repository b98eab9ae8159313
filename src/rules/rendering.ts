import type { RuleRecords } from './rule-record.ts'

/** What becomes of the packages of variants. */
export const RENDERING_RECORDS = {
  adopted: {
    severity: 'info',
    summary: 'A package without a living owner becomes the package of this variant: its variant is gone, or no variant made it',
    example: '`adoptionPolicy: adoptExisting`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/render-variants/renamed-variant',
  },
  'discard-edits': {
    severity: 'error',
    summary:
      'A package whose variant is gone would be removed together with files that people made or changed: every difference from the clone of the upstream that the variant did not write',
    why: "Of the keys of the package context, and of the labels and annotations of the Kptfile, the variant's are those that the annotation `krm-variants.dev/variant-keys` names. If the upstream that the Kptfile names cannot be read any more, every file counts, and so does every change by a pipeline",
    example: '`NOTES.md` in `store-1/web`',
    toFix:
      'Copy what you need to another place and set `discardEdits` (`--discard-edits`); or write `krm-variants.dev/deletion-policy: orphan` into its Kptfile, as `deletionPolicy: orphan` does, and the package stays',
    shownBy: 'testdata/render-variants/discard-edits-no-upstream',
  },
  'downstream-duplicate': {
    severity: ['error', 'warning'],
    summary: 'Two PackageVariants write one package',
    why: 'A warning for variants of two kpt packages, none in the other: a cluster may have one of the two',
    example: 'both have `downstream: {repo: edge-01, package: web}`',
    toFix: 'Give one another package',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge-1, package: web}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web-2}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge-1, package: web}
# ^
`,
    good: [
      `package: web}
---`,
      `package: shop}
---`,
    ],
    shownBy: 'testdata/check-dependencies/downstream-duplicate',
  },
  'downstream-moved': {
    severity: 'info',
    summary: 'The package of a variant moves to the new downstream of the variant, with the edits of people',
    example: 'another `downstream.package`, with `followRenames`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/render-variants/renamed-downstream-followed',
  },
  'downstream-occupied': {
    severity: 'error',
    summary:
      'A package would be adopted, but its folder contains files without a Kptfile or with an empty one, or a symbolic link leads to the folder',
    example: '`adoptionPolicy: adoptExisting` for a folder of loose files',
    toFix: 'Remove the files, or make them a package; make the link a folder',
    shownBy: 'testdata/render-variants/downstream-occupied',
  },
  'downstream-renamed': {
    severity: ['warning', 'error'],
    summary:
      'A variant has a new downstream, or its package was moved to another folder of `out`: a new package is created, and the deletionPolicy decides about the old package (warning)',
    why: 'If the upstream package of the set has another name, and the downstream with it, no package is created (error)',
    example: '`downstream.package` is another; `upstream.package: shop`, which was `web`',
    toFix:
      'Set `followRenames` (`--follow-renames`), and the package moves with what people did to it; or keep its place with `template.downstream.package`; move a moved folder back',
    shownBy: 'testdata/render-variants/renamed-downstream-edited',
  },
  'edits-discarded': {
    severity: 'warning',
    summary: 'A package is removed together with files that people made or changed, because of `discardEdits`; the message names the files',
    example: '`discardEdits: true`',
    toFix: 'Nothing to fix; git has what was committed',
    shownBy: 'testdata/render-variants/renamed-downstream',
  },
  'needed-by-render': {
    severity: ['warning', 'error'],
    summary:
      'A function removes, renames or moves an object that the next render needs: a Kptfile, its `upstream` or owner, a package context, an injection point, the config of a function',
    why: 'A function that the upstream package has itself may do so, and the object stays (warning). The package is refused for any other function. `run` and `fn` keep the Kptfile of any package',
    example: '`image: …/remove-local-config-resources:v0.1.0` in a template',
    toFix: 'Add an `exclude` to the function, or remove the function',
    shownBy: 'testdata/render-variants/needed-by-render-refused',
  },
  'no-variant': {
    severity: 'error',
    when: 'error of `render`',
    summary: 'There is neither a PackageVariant nor a set that makes one, and no package of one; the message says what was read',
    example: 'an empty folder',
    toFix: 'Fix kind or group, or the folder',
    run: 'render --dry-run --out out',
    bad: `# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: `# file: catalog/web/Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
# file: fleet.yaml
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    shownBy: 'testdata/cli/render-no-variant',
  },
  'not-adopted': {
    severity: 'warning',
    summary: 'The package at the downstream was not made for the variant, and stays unchanged',
    example: 'a package that a person wrote, or a package without its Kptfile',
    toFix: 'Set `adoptionPolicy: adoptExisting`, or another downstream; restore a Kptfile that was lost',
    shownBy: 'testdata/render-variants/not-adopted-no-package',
  },
  'option-without-effect': {
    severity: 'warning',
    summary: 'The tool ignores an option of `render-variants`',
    example: '`status: true` for `krm-variants render --no-run`',
    toFix: 'Remove it, run the functions, or run the function `render-variants`',
    shownBy: 'testdata/cli/render-status',
  },
  'other-fleet': {
    severity: 'error',
    summary:
      'The package at the downstream belongs to another fleet, according to its annotation `krm-variants.dev/fleet`; or the fleet had another name when it made the package, because its repository or folder has moved since',
    why: 'The names that a fleet had before the first commit of its repository, and before its first remote, are accepted, as are other addresses of its repository, and those of forks where the packages are in the repository of the fleet',
    example: 'two fleets with sets of one name and one `--out`; a fork with packages elsewhere',
    toFix:
      'Choose another `--out`; for a fleet that moved set `fleet` to the name that its packages have; or `adoptionPolicy: adoptExisting`',
    shownBy: 'testdata/render-variants/other-fleet',
  },
  'package-copied': {
    severity: 'warning',
    summary: 'A package has the owner annotation of a variant whose package is elsewhere; the copy stays unchanged',
    example: '`cp -r clusters/edge-01/upf clusters/trials/upf`',
    toFix: 'Remove the annotation `krm-variants.dev/package-variant` if you want to keep the copy, else remove the folder',
    shownBy: 'testdata/render-variants/package-copied',
  },
  'package-elsewhere': {
    severity: ['error', 'warning'],
    summary:
      "The fleet has the package of a variant in another place, on disk or in git's index, and would make it anew, without what people changed: most likely `out`, or the folder of the packages, was renamed",
    why: 'A warning with --discard-edits, and where `--out` names another folder than the options',
    example: '`out: packages` becomes `out: clusters`',
    toFix: 'Move the packages by the `git mv` of the message, or name their folder in `out`',
    shownBy: 'cli/render/packages-elsewhere.test.ts',
  },
  'package-orphaned': {
    severity: 'info',
    summary: 'The variant of a package is gone; the package stays, without an owner',
    example: '`deletionPolicy: orphan`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/render-variants/seed-000-rule-31-orphan',
  },
  'package-removed': {
    severity: 'info',
    summary: 'The variant of a package is gone, so the package is removed',
    example: '`deletionPolicy: delete`, the default',
    toFix: 'Restore the variant, and the folder from git',
    shownBy: 'testdata/render-variants/removed-target',
  },
  'path-nested': {
    severity: 'error',
    summary: 'A package would be inside another package of the repository',
    example: '`net` and `net/dns`',
    toFix: 'Put it beside the other package',
    shownBy: 'testdata/render-variants/path-nested',
  },
  'render-failed-in-cluster': {
    severity: 'warning',
    summary: 'The status of a PackageVariant of a cluster says that the functions of one of its packages failed',
    example: '`renderStatus: {error: fn.render failed}`',
    toFix: 'Read the error; `krm-variants run` runs the same functions here',
    shownBy: 'testdata/cli/check-function-config',
  },
  'render-variants': {
    severity: 'info',
    summary: 'The number of packages of the variants',
    example: '`12 packages, 1 left alone`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/render-variants/upstream-without-kptfile',
  },
  selection: {
    severity: 'error',
    when: 'error of `render`',
    summary: '`--only` selects no variant; the message has the term that no variant fulfils, and the nearest value',
    example: '`--only repository=egde-1`',
    toFix: 'Fix the term',
    shownBy: 'testdata/cli/render-only-all',
  },
  'target-renamed': {
    severity: 'warning',
    summary:
      "The packages of a target are removed while the same packages of a new target are created, with the same set and upstream and names that differ only in the target's repository: most likely the target has a new name",
    example: 'the Repository `eu-01` is called `eu-north-01`',
    toFix:
      'Move the folder with the command of the message before `render`, and what people changed stays ([recipe](recipes/rename-a-cluster.md)). If it is another cluster, nothing',
    shownBy: 'testdata/render-variants/discard-edits',
  },
  'upstream-in-use': {
    severity: 'error',
    summary:
      'A package would be removed or moved away that a variant of the same run is made from: a copy of a rendered package in the catalog, which still names its variant',
    example: '`cp -r edge/upf catalog/tool@v1`, and the variant of `edge/upf` is gone',
    toFix: 'Remove the annotation `krm-variants.dev/package-variant` from the Kptfile of the upstream package',
    shownBy: 'cli/render/packages-elsewhere.test.ts',
  },
} as const satisfies RuleRecords
