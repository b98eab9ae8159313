import { inspect } from 'node:util'
import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { emitValue } from '../../src/yaml/emit/emit.ts'
import type { Node } from '../../src/yaml/read/node.ts'
import { YamlError } from '../../src/yaml/read/yaml-error.ts'
import { readYaml } from '../../src/yaml/read/yaml-reader.ts'
import { applyEdit, type Edit, leadsInto, randomEdit } from './edit.ts'
import { mutate } from './mutate.ts'
import { nastyJson } from './nasty-value.ts'
import { oddDocument } from './odd-document.ts'
import { type Random, randomFrom } from './random.ts'
import { fragment, realDocuments } from './real-texts.ts'
import { resolvedValue } from './resolved-value.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'
import { keepsOtherLines } from './touched-lines.ts'

/** After an edit the text means what was asked for, all other lines are as they were, and the same edit again changes nothing. */
export const splice: FuzzTarget = {
  name: 'splice',
  count: 50_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const documents = realDocuments()
    let edited = 0
    const outcome = runCases(count, () => {
      const text = randomDocument(random, documents)
      const value = mapIn(text)
      if (value === undefined) return []
      edited++
      const edit = randomEdit(random, value)
      return fault(text, edit) === undefined ? [] : [describe(text, edit)]
    })
    return { ...outcome, note: `${edited} edits, the other texts are no map or have duplicate keys` }
  },
}

export function randomDocument(random: Random, documents: readonly string[]): string {
  if (random.oneIn(4)) return oddDocument(random)
  if (random.oneIn(4)) return `${emitValue(nastyJson(random, 4), { column: 0, sequences: random.pick(['wide', 'compact']) })}\n`
  const text = fragment(random, random.pick(documents))
  return random.oneIn(2) ? text : mutate(random, text)
}

/** The value of a text that can be edited. A lone carriage return is a line break for YAML 1.2, and text for the full parser. */
export function mapIn(text: string): JsonRecord | undefined {
  if (/\r(?!\n)/.test(text)) return undefined
  try {
    const value = resolvedValue(readYaml(text))
    return KrmObject.fromDocument(text).duplicateKeys().length === 0 && isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof YamlError) return undefined
    throw error
  }
}

function describe(text: string, edit: Edit): string {
  const least = shrinkText(text, (part) => fault(part, edit) !== undefined)
  return `${JSON.stringify(least)} ${edit.op} ${inspect(edit.path)} ${edit.op === 'set' ? inspect(edit.value) : ''}\n    ${fault(least, edit)}`
}

function fault(text: string, edit: Edit): string | undefined {
  try {
    const value = mapIn(text)
    return value === undefined || !leadsInto(value, edit) ? undefined : editFault(text, edit, applyEdit(value, edit))
  } catch (error) {
    return isRefusal(error) ? undefined : String(error)
  }
}

const REFUSALS: readonly string[] = ['explicit-key', 'alias', 'anchored', 'unusual-layout']

/** Some texts must not be edited; a new key of more than 1,000 characters makes such a text. */
export function isRefusal(error: unknown): boolean {
  return error instanceof FunctionError && error.results.every(({ tags }) => REFUSALS.includes(tags.rule))
}

function editFault(text: string, edit: Edit, expected: JsonValue): string | undefined {
  const root = readYaml(text)
  const after = edited(text, edit)
  const again = edit.op === 'set' ? edited(after, edit) : after
  if (!equalJson(resolvedValue(readYaml(after)), expected)) return `another value: ${JSON.stringify(after)}`
  if (!keepsOtherLines(text, root, edit, after)) return `other lines changed: ${JSON.stringify(after)}`
  if (again !== after) return `the same again changes ${JSON.stringify(after)} to ${JSON.stringify(again)}`
  return keepsTrailingComment(text, root, edit, after) ? undefined : `the comment of the line is gone: ${JSON.stringify(after)}`
}

function edited(text: string, edit: Edit): string {
  const object = KrmObject.fromDocument(text)
  if (edit.op === 'set') object.set(edit.path, edit.value)
  else object.delete(edit.path)
  return object.toText()
}

/** A comment behind a scalar stays when another value takes its place. */
function keepsTrailingComment(text: string, root: Node, edit: Edit, after: string): boolean {
  const node = scalarAt(root, edit)
  const comment = node === undefined ? undefined : /^ +(#.*)/.exec(text.slice(node.end))?.[1]
  return comment === undefined || after.includes(comment)
}

function scalarAt(root: Node, { op, path }: Edit): Node | undefined {
  let node: Node | undefined = root
  for (const step of path) {
    if (node?.type === 'map') node = node.entries.find(({ key }) => key.text === step)?.value
    else node = node?.type === 'sequence' ? node.items[Number(step)]?.value : undefined
  }
  return op === 'set' && node?.type === 'scalar' && node.style !== 'literal' && node.style !== 'folded' ? node : undefined
}
