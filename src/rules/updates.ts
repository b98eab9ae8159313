import type { RuleRecords } from './rule-record.ts'

/** The merge of a package with a new revision of its upstream. */
export const UPDATES_RECORDS = {
  'change-passed-over': {
    severity: 'warning',
    summary:
      "Upstream changed or removed what the downstream changed or deleted, and the update keeps the downstream's: a file that is no KRM, a resource, a subpackage, a deleted field, an entry of a list whose key people changed, a comment; or people moved a resource to another file, or have it in another namespace without a merge comment, where an update does not find it, as in kpt",
    example: 'a README changed on both sides',
    toFix: 'Copy the upstream changes that you want by hand',
    shownBy: 'testdata/render-variants/edit-lost',
  },
  'compared-before-functions': {
    severity: 'info',
    summary:
      'An update compares the package with its old and new upstream before their functions ran, since a function of one of them fails or has no runner here',
    why: 'A value that a function wrote may then count as an edit',
    example: 'v2 replaces `gcr.io/example/unknown:v1`',
    toFix: 'Allow containers, or give a program for the image',
    shownBy: 'testdata/cli/render-compared-before-functions',
  },
  'duplicate-in-file': {
    severity: 'error',
    summary: 'Two resources of one file have one group, kind, namespace and name, so an update cannot pair them with those of upstream',
    example: 'the same ConfigMap twice in `cm.yaml`',
    toFix: 'Rename one, or move it to another file',
    shownBy: 'src/merge/resource-merge.test.ts',
  },
  'edit-lost': {
    severity: 'warning',
    summary:
      "The downstream and upstream changed the same field since the last update, and the result has upstream's value, as in kpt; or a function of the package wrote its value over an edit that the update kept, and the message names the function",
    why: "`currentValue` is the downstream's, `proposedValue` that of the result",
    example: '`replicas: 5` here, `replicas: 3` upstream',
    toFix:
      'Make the edit again if it is still wanted; a pipeline function survives updates. For a field that a function writes, change what the function is given, such as the value of the setter',
    shownBy: 'testdata/render-variants/edit-lost',
  },
  'functions-gone': {
    severity: 'warning',
    summary:
      'The Kptfile of an upstream revision has no functions, and that of the revision before has: an update takes them from each package',
    why: 'kpt does so too. Functions that people added to a package stay',
    example: '`pipeline: {}` in v2, three functions in v1',
    toFix: 'Bring the pipeline back and publish another revision, if it was cut by mistake',
    shownBy: 'testdata/render-variants/functions-gone',
  },
  'local-changes': {
    severity: 'error',
    summary:
      'A package that was changed since it was cloned is to be updated with the strategy `fast-forward`, or replaced by `force-delete-replace` without `discardEdits`',
    why: 'Not counted are what the clone wrote, and what the variant asks for or asked for before: its functions, the data of the package context, what is injected, labels and annotations that upstream does not have',
    example: 'a value edited in `deploy.yaml`',
    toFix: 'Use `resource-merge`, or undo the changes; for `force-delete-replace` set `discardEdits`',
    shownBy: 'testdata/render-variants/fast-forward-refused',
  },
  'original-missing': {
    severity: 'error',
    summary: 'The revision that a package was last updated to is missing, or the Kptfile names none',
    why: 'So edits cannot be distinguished from changes of the upstream',
    example: 'revision 1 was removed from the catalog',
    toFix: 'Restore the revision, or write `upstream` into the Kptfile',
    shownBy: 'testdata/render-variants/original-missing-no-upstream',
  },
  'package-added-twice': {
    severity: 'error',
    summary: 'A subpackage of one name was added downstream and upstream',
    example: '`sub/Kptfile` on both sides',
    toFix: "Rename the downstream's",
    shownBy: 'src/merge/subpackages.test.ts',
  },
  'type-change': {
    severity: 'error',
    summary: 'The sides of an update have different types in a field: a scalar, a map or a list',
    example: '`s: text` here, `s: {now: map}` upstream',
    toFix: "Give the downstream's field the type of upstream's first",
    shownBy: 'testdata/render-variants/type-change',
  },
  'upstream-changed-in-place': {
    severity: 'warning',
    summary: 'The files of an upstream package in a folder are not those of the last render, and the revision is the same',
    why: 'Packages that exist are at that revision, so that an update brings them nothing. Seen only where the record of the last render is: by the same user on the same machine, in fleets of at least 20 packages',
    example: 'a line of `catalog/shop@v3` edited, with packages of `revision: 3`',
    toFix:
      'Take the change back, put it into a new revision, `catalog/shop@v4`, and name that in the set: an update from a changed revision takes the change for an edit of people and loses it',
    shownBy: 'cli/render/last-render.test.ts',
  },
} as const satisfies RuleRecords
