import { isRecord, type JsonRecord } from '../json.ts'
import { textKeeper } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { type FileRef, hasErrors, type Result, resultToWire } from '../result.ts'
import { errorText } from '../run.ts'
import type { FunctionInput } from './function-input.ts'
import { checkFields, type Returned } from './function-output.ts'
import type { FunctionAnswer } from './match.ts'
import type { PipelineItem } from './package-tree.ts'
import type { PipelineStep } from './pipeline-steps.ts'

/** The output of a function before it is checked. */
export interface Called {
  readonly answer: FunctionAnswer
  /** The results as the function wrote them. */
  readonly reported: readonly JsonRecord[]
  /** Returns the items of the output. @throws OutputError, WireError  for an output that cannot be used */
  returned(): readonly Returned[]
}

/**
 * Runs a function on the items themselves, which keeps what was read of them: no list is written as text and read again. Returns undefined
 * if the function must get the text. A validator and a function that fails change no item.
 */
export function editDocuments(
  step: PipelineStep,
  edit: (list: ResourceList) => readonly Result[],
  input: FunctionInput,
): Called | undefined {
  const list = input.documents()
  if (list === undefined) return undefined
  const restore = textKeeper(list.items)
  const results = withPlaces(edit(list), input.selected)
  const failed = hasErrors(results)
  const answer = { stdout: '', stderr: failed ? errorText(results) : '', exitCode: failed ? 1 : 0 }
  const returned = (): readonly Returned[] => {
    const after = input.selected.filter(({ object }) => !list.removed.has(object))
    try {
      for (const { object, path } of after) if (object.mayBeEdited) checkFields(object, path)
    } catch (error) {
      restore()
      throw error
    }
    if (step.stage === 'validators') restore()
    return after.map((item) => ({ item }))
  }
  return { answer, reported: results.map(resultToWire).filter(isRecord), returned }
}

/** Returns results with the files that a function sees: their paths begin in the package of the item. */
function withPlaces(results: readonly Result[], selected: readonly PipelineItem[]): readonly Result[] {
  if (!results.some(({ file }) => file !== undefined)) return results
  const places = new Map(selected.map(({ object, path, index }) => [placeOf(object.file), { path, index: Number(index) }]))
  return results.map((result) => {
    const file = result.file && places.get(placeOf(result.file))
    return file === undefined ? result : { ...result, file }
  })
}

function placeOf(file: FileRef | undefined): string {
  return file === undefined ? '' : `${file.index} ${file.path}`
}
