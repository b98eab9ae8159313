import { attempt } from '../../attempt.ts'
import type { FieldPath } from '../../field-path.ts'
import { equalJson, type JsonValue } from '../../json.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { type FoundRunners, type FunctionAnswer, findRunners, type Runner, type Runners } from '../../pipeline/match.ts'
import type { PipelineStep } from '../../pipeline/pipeline-steps.ts'
import { type ReadPackage, runPackage, stepsOf } from '../../pipeline/run-packages.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { locate } from '../../resource-list/package-of.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { WireError } from '../../resource-list/wire-error.ts'
import type { Result } from '../../result.ts'

/**
 * Returns the runners of a package's functions, which also report the items that each mutator gets and returns.
 *
 * @param observe  reads the items of a list; gets no items for an output that is no list
 * @param note     called after each mutator
 */
export function watchedRunners<Seen>(
  read: ReadPackage,
  runners: Runners,
  observe: (items: readonly KrmObject[]) => Seen,
  note: (step: PipelineStep, before: Seen, after: Seen) => void,
): FoundRunners['matched'] {
  const watched = (step: PipelineStep, runner: Runner): Runner => {
    if (step.stage !== 'mutators') return runner
    const noted = (input: string, answer: FunctionAnswer): FunctionAnswer => {
      note(step, observe(itemsIn(input)), observe(itemsIn(answer.stdout)))
      return answer
    }
    const called = (input: string): FunctionAnswer => noted(input, runner(input))
    const { edit, later } = runner
    if (later !== undefined) return Object.assign(called, { later: async (input: string) => noted(input, await later(input)) })
    if (edit === undefined) return called
    const edited = (list: ResourceList): readonly Result[] => {
      const before = observe(list.items)
      const results = edit(list)
      note(step, before, observe(list.items))
      return results
    }
    return Object.assign(called, { edit: edited })
  }
  const { matched } = findRunners(stepsOf([read]), runners)
  return new Map([...matched].map(([step, runner]) => [step, watched(step, runner)]))
}

function itemsIn(list: string): readonly KrmObject[] {
  return attempt(() => ResourceList.parse(list).items, WireError) ?? []
}

/** A field of an object in a file of a package. */
export interface AskedField {
  readonly path: string
  /** The position of the object in its file. */
  readonly index: number
  readonly field: FieldPath
}

/**
 * Runs the functions of a package. Returns for each field the function that wrote the field last; undefined for a field that none wrote.
 */
export function* lastWriters(
  read: ReadPackage,
  runners: Runners,
  fields: readonly AskedField[],
): Calls<readonly (PipelineStep | undefined)[]> {
  const writers = fields.map((): PipelineStep | undefined => undefined)
  const valuesIn = (items: readonly KrmObject[]) => fields.map((field) => valueAt(items, field, read.asked))
  const watched = watchedRunners(read, runners, valuesIn, (step, before, after) => {
    for (const at of fields.keys()) if (!equalJson(before[at] ?? null, after[at] ?? null)) writers[at] = step
  })
  yield* runPackage(read, watched)
  return writers
}

/**
 * Returns the value of a field in the items of a function. The path of an item begins at its package, whose place the item names, or is
 * the name of the file in messages.
 */
function valueAt(
  items: readonly KrmObject[],
  { path, index, field }: AskedField,
  { place, name }: ReadPackage['asked'],
): JsonValue | undefined {
  const paths = [`${place}/${path}`, name(path)]
  const item = items.find(({ file, packagePath }) => file?.index === index && paths.includes(locate(file.path, packagePath)))
  return item?.get(field)
}
