import type { Adapter } from './adapter.ts'
import { casesOfList } from './run-tree.ts'

const NOT_RUN = 'not run'

/** Vectors of a function that does not exist: they are counted, and told as such. */
function notYet(folder: string, judges: string): Adapter {
  return {
    folder,
    cases: casesOfList,
    run: () => [{ what: NOT_RUN }],
    known: [{ row: 'not built', reason: `it judges ${judges}`, holds: () => true, explains: ({ what }) => what === NOT_RUN }],
  }
}

/** Clones and three-way merges. */
export const NOT_YET: readonly Adapter[] = [notYet('porch/update', 'render-variants')]
