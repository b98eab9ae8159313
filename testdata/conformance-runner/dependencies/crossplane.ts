import type { Adapter } from '../adapter.ts'
import { judgeDag, judgeName } from './crossplane-graph.ts'
import { judgeReconcile, judgeSeedRule } from './crossplane-lifecycle.ts'
import { judgeEstablish } from './crossplane-owners.ts'
import { judgeDigest, judgeInstall, judgePrune, judgeScenario, judgeUpdate, judgeVersionToUpdate } from './crossplane-resolve.ts'
import { judgeRevision } from './crossplane-revision.ts'
import { casesOfFile, judgeByKind } from './vectors.ts'

/** Rules of Crossplane on names, graphs, digests and the Lock, and those of seed 003. */
export const CROSSPLANE: Adapter = {
  folder: 'dependencies/crossplane',
  cases: casesOfFile,
  run: judgeByKind({
    'crossplane-names': judgeName,
    dag: judgeDag,
    'crossplane-digest': judgeDigest,
    'crossplane-revision-resolve': judgeRevision,
    'crossplane-seed': judgeSeedRule,
    'crossplane-e2e': judgeScenario,
    'crossplane-update': judgeVersionToUpdate,
    'crossplane-install': judgeInstall,
    'crossplane-update-installed': judgeUpdate,
    'crossplane-prune': judgePrune,
    'crossplane-package-reconcile': judgeReconcile,
    'crossplane-establish': judgeEstablish,
  }),
  known: [],
}
