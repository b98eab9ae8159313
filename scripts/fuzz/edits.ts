import { inspect } from 'node:util'
import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { readYaml } from '../../src/yaml/read/yaml-reader.ts'
import { applyEdit, type Edit, leadsInto, randomEdit } from './edit.ts'
import { randomFrom } from './random.ts'
import { realDocuments } from './real-texts.ts'
import { resolvedValue } from './resolved-value.ts'
import { shrinkText } from './shrink.ts'
import { isRefusal, mapIn, randomDocument } from './splice.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/**
 * Some edits of one object, one after the other: what is read in between and what the text means in the end is what they make of plain
 * values, whether they are written together or each by itself.
 */
export const edits: FuzzTarget = {
  name: 'edits',
  count: 30_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const documents = realDocuments()
    let edited = 0
    const outcome = runCases(count, () => {
      const text = randomDocument(random, documents)
      const value = mapIn(text)
      if (value === undefined) return []
      const series: Edit[] = []
      let after: JsonValue = value
      for (let n = random.below(6); n >= 0 && isRecord(after) && Object.keys(after).length > 0; n--) {
        const edit = randomEdit(random, after)
        series.push(edit)
        after = applyEdit(after, edit)
      }
      edited += series.length
      return fault(text, series) === undefined ? [] : [describe(text, series)]
    })
    return { ...outcome, note: `${edited} edits, the other texts are no map or have duplicate keys` }
  },
}

function describe(text: string, series: readonly Edit[]): string {
  const least = shrinkSeries(series, (fewer) => fault(text, fewer) !== undefined)
  const part = shrinkText(text, (smaller) => fault(smaller, least) !== undefined)
  const all = least.map((edit) => `${edit.op} ${inspect(edit.path)} ${edit.op === 'set' ? inspect(edit.value, { depth: 9 }) : ''}`)
  return `${JSON.stringify(part)}\n    ${all.join('\n    ')}\n    ${fault(part, least)}`
}

function shrinkSeries(series: readonly Edit[], fails: (series: readonly Edit[]) => boolean): readonly Edit[] {
  const fewer = series.map((_, at) => series.toSpliced(at, 1)).find(fails)
  return fewer === undefined ? series : shrinkSeries(fewer, fails)
}

function fault(text: string, series: readonly Edit[]): string | undefined {
  const value = mapIn(text)
  if (value === undefined) return undefined
  return faultOf(text, value, series, 'together') ?? faultOf(text, value, series, 'one by one')
}

function faultOf(text: string, value: JsonRecord, series: readonly Edit[], way: 'together' | 'one by one'): string | undefined {
  try {
    let expected: JsonValue = value
    const object = KrmObject.fromDocument(text)
    for (const edit of series) {
      if (!leadsInto(expected, edit)) return undefined
      expected = applyEdit(expected, edit)
      const misread = readAfter(object, edit)
      if (misread !== undefined) return `${way}: ${misread}`
      if (way === 'one by one') object.settle()
    }
    const after = object.toText()
    return equalJson(resolvedValue(readYaml(after)), expected) ? undefined : `${way}: another value: ${JSON.stringify(after)}`
  } catch (error) {
    return isRefusal(error) ? undefined : `${way}: ${error instanceof Error ? error.stack : error}`
  }
}

/** Makes an edit, and says what is then read where it was made when that is something else. */
function readAfter(object: KrmObject, edit: Edit): string | undefined {
  if (edit.op === 'delete') {
    object.delete(edit.path)
    return undefined
  }
  object.set(edit.path, edit.value)
  const read = object.get(edit.path)
  return equalJson(read, edit.value) ? undefined : `read ${inspect(read)} for ${inspect(edit.value)}`
}
