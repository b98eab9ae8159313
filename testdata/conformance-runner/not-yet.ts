import { isRecord, type JsonValue } from '../../src/json.ts'
import type { Adapter } from './adapter.ts'

const NOT_RUN = 'not run'

/** Vectors of a function that does not exist: they are counted, and told as such. */
function notYet(folder: string, judges: string): Adapter {
  return {
    folder,
    cases: (file: JsonValue) => (Array.isArray(file) ? file.filter((each: JsonValue) => isRecord(each)) : []),
    run: () => [NOT_RUN],
    known: [{ row: 'not built', reason: `it judges ${judges}`, holds: () => true, shows: new RegExp(`^${NOT_RUN}$`) }],
  }
}

/** Clones and three-way merges. */
export const NOT_YET: readonly Adapter[] = [notYet('porch/clone', 'render-variants'), notYet('porch/update', 'render-variants')]
