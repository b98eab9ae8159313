import { type Document, isMap, isPair, isSeq, parseDocument } from 'yaml'
import type { FieldPath } from '../../../src/field-path.ts'
import { isRecord, type JsonValue, lookup } from '../../../src/json.ts'
import { documentsIn, holdsResources, type JudgedDocument } from './documents.ts'
import type { MergeAnswer, MergeCase, Texts } from './judge.ts'
import { same } from './same.ts'

/** A fault that a merge could have, made in the answer of the merge. */
export interface MergeMutant {
  readonly fault: string
  mutate(merge: MergeCase, answer: MergeAnswer): MergeAnswer
}

type Side = 'theirs' | 'ours'

const OF = { theirs: "upstream's", ours: "the downstream's" } as const

/** The faults that the judge must see, each of them within 1,500 random cases. */
export const MUTANTS: readonly MergeMutant[] = [
  { fault: 'always upstream', mutate: ({ theirs }) => ({ files: theirs, results: [] }) },
  { fault: 'always ours', mutate: ({ ours }) => ({ files: ours, results: [] }) },
  { fault: 'always refused', mutate: ({ ours }) => ({ files: ours, results: [REFUSAL] }) },
  { fault: 'no warning', mutate: (_, { files, results }) => ({ files, results: results.filter(({ severity }) => severity === 'error') }) },
  { fault: 'warnings about another field', mutate: (_, { files, results }) => ({ files, results: results.map(withOtherField) }) },
  { fault: 'an error, and files that are changed', mutate: anErrorThatWrites },
  ...(['theirs', 'ours'] as const).flatMap(losses),
  { fault: 'two entries of a list swapped', mutate: (_, answer) => inDocuments(answer, swapEntries) },
  { fault: 'two resources of a file swapped', mutate: (_, answer) => inFiles(answer, swapDocuments) },
  { fault: 'an empty entry in a list', mutate: (_, answer) => inDocuments(answer, addEmptyEntry) },
  { fault: 'fast-forward over a change', mutate: onlyWith('fast-forward', ({ theirs }) => ({ files: theirs, results: [] })) },
  { fault: 'force-delete-replace leaves a file of the downstream', mutate: onlyWith('force-delete-replace', keepOwnFiles) },
  { fault: 'copy-merge removes a file of the downstream', mutate: onlyWith('copy-merge', dropOwnFiles) },
  { fault: 'copy-merge leaves what people changed', mutate: onlyWith('copy-merge', keepChangedFiles) },
]

const REFUSAL = { severity: 'error', message: 'refused', tags: { rule: 'type-change' } } as const

/** The changes of one side that a merge can lose. */
function losses(side: Side): readonly MergeMutant[] {
  const one = (what: string, change: (document: Document, sides: Base & { readonly side: JudgedDocument }) => boolean): MergeMutant => ({
    fault: `${OF[side]} ${what} lost`,
    mutate: (merge, answer) => inDocuments(answer, (document, at) => changeFor(merge, side, at, (sides) => change(document, sides))),
  })
  return [
    one('changed field', (document, sides) => revert(document, sides, ({ before, after }) => before !== undefined && after !== undefined)),
    one('added field', (document, sides) => revert(document, sides, ({ before }) => before === undefined)),
    one('removed field', (document, sides) => revert(document, sides, ({ after }) => after === undefined)),
    one('added list entry', dropAddedEntry),
    { fault: `${OF[side]} comment lost`, mutate: (merge, answer) => inFiles(answer, (path, text) => dropComment(merge, side, path, text)) },
    {
      fault: `${OF[side]} added resource lost`,
      mutate: (merge, answer) => inFiles(answer, (path, text) => dropAdded(merge, side, path, text)),
    },
    { fault: `${OF[side]} removal of a resource lost`, mutate: (merge, answer) => restoreResource(merge, side, answer) },
    {
      fault: `${OF[side]} added file lost`,
      mutate: (merge, { files, results }) => ({ files: dropAddedFile(merge, side, files), results }),
    },
    {
      fault: `${OF[side]} text of a README lost`,
      mutate: (merge, { files, results }) => ({ files: revertText(merge, side, files), results }),
    },
  ]
}

interface Base {
  readonly base: JudgedDocument
}

interface DocumentPlace {
  readonly path: string
  readonly identity: string
}

function changeFor(
  merge: MergeCase,
  side: Side,
  { path, identity }: DocumentPlace,
  change: (sides: Base & { readonly side: JudgedDocument }) => boolean,
): boolean {
  const at = (files: Texts) => documentsIn(files[path]).find((document) => document.identity === identity)
  const [base, changed] = [at(merge.base), at(merge[side])]
  return base !== undefined && changed !== undefined && change({ base, side: changed })
}

/** Changes the first document of the answer that can be changed. */
function inDocuments(answer: MergeAnswer, change: (document: Document, at: DocumentPlace) => boolean): MergeAnswer {
  return inFiles(answer, (path, text) => {
    const documents = documentsIn(text)
    for (const [at, { identity, text: own }] of documents.entries()) {
      const document = parseDocument(own)
      if (!change(document, { path, identity })) continue
      return documents.map(({ text: other }, index) => (index === at ? document.toString({ lineWidth: 0 }) : other)).join('---\n')
    }
    return text
  })
}

/** Changes the first file of the answer that can be changed. */
function inFiles({ files, results }: MergeAnswer, change: (path: string, text: string) => string): MergeAnswer {
  for (const [path, text] of Object.entries(files)) {
    if (!holdsResources(path)) continue
    const changed = change(path, text)
    if (changed !== text) return { files: { ...files, [path]: changed }, results }
  }
  return { files, results }
}

interface Change {
  readonly path: FieldPath
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

function changesOf(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath = []): readonly Change[] {
  if (same(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key) => changesOf(lookup(before, key), lookup(after, key), [...path, key]))
}

function revert(
  document: Document,
  { base, side }: Base & { readonly side: JudgedDocument },
  isKind: (change: Change) => boolean,
): boolean {
  const change = changesOf(base.value, side.value).find((each) => isKind(each) && each.path[0] !== 'kind' && isIn(document, each))
  if (change === undefined) return false
  if (change.before === undefined) document.deleteIn(change.path)
  else document.setIn(change.path, change.before)
  return true
}

function isIn(document: Document, { path, after }: Change): boolean {
  if (!document.hasIn(path.slice(0, -1))) return false
  const value = document.getIn(path)
  const plain: JsonValue | undefined = isMap(value) || isSeq(value) ? value.toJS(document) : (value as JsonValue | undefined)
  return same(plain, after)
}

function dropAddedEntry(document: Document, { base, side }: Base & { readonly side: JudgedDocument }): boolean {
  for (const { path, before, after } of changesOf(base.value, side.value)) {
    const list = document.getIn(path)
    if (!isSeq(list) || !Array.isArray(before) || !Array.isArray(after)) continue
    const added = list.items.findIndex((item) => {
      const value = isMap(item) || isSeq(item) ? item.toJS(document) : parsed(item)
      return after.some((entry) => same(entry, value)) && !before.some((entry) => same(entry, value))
    })
    if (added === -1) continue
    list.items.splice(added, 1)
    return true
  }
  return false
}

function parsed(node: unknown): JsonValue {
  return (typeof node === 'object' && node !== null && 'value' in node ? node.value : null) as JsonValue
}

function dropComment(merge: MergeCase, side: Side, path: string, text: string): string {
  const before = new Set(documentsIn(merge.base[path]).flatMap(({ comments }) => comments.map((comment) => comment.text)))
  const own = documentsIn(merge[side][path]).flatMap(({ comments }) => comments.map((comment) => comment.text))
  const comment = own.find((each) => !before.has(each) && text.includes(each))
  return comment === undefined ? text : text.replace(new RegExp(`^ *${comment}\\n| ${comment}(?=\\n)`, 'm'), '')
}

function dropAdded(merge: MergeCase, side: Side, path: string, text: string): string {
  const before = documentsIn(merge.base[path]).map(({ identity }) => identity)
  const added = documentsIn(merge[side][path]).find(({ identity }) => !before.includes(identity))
  const documents = documentsIn(text)
  if (before.length === 0 || added === undefined) return text
  return documents.flatMap((document) => (document.identity === added.identity ? [] : [document.text])).join('---\n')
}

/** Puts a resource back that one side removed, and the other left as it was. */
function restoreResource(merge: MergeCase, side: Side, answer: MergeAnswer): MergeAnswer {
  return inFiles(answer, (path, text) => {
    const there = documentsIn(merge[side][path]).map(({ identity }) => identity)
    const removed = documentsIn(merge.base[path]).find(({ identity }) => !there.includes(identity))
    const isBack = documentsIn(text).some(({ identity }) => identity === removed?.identity)
    return removed === undefined || isBack ? text : `${text.replace(/\n?$/, '\n')}---\n${removed.text}`
  })
}

function dropAddedFile(merge: MergeCase, side: Side, files: Texts): Texts {
  const added = Object.keys(merge[side]).find((path) => merge.base[path] === undefined)
  return Object.fromEntries(Object.entries(files).filter(([path]) => path !== added))
}

function revertText(merge: MergeCase, side: Side, files: Texts): Texts {
  const before = merge.base['README.md']
  return before === undefined || merge[side]['README.md'] === before ? files : { ...files, 'README.md': before }
}

function swapEntries(document: Document): boolean {
  const list = listsIn(document.contents).find(({ items: [first, second] }) => second !== undefined && String(first) !== String(second))
  const [first, second, ...others] = list?.items ?? []
  if (list === undefined || second === undefined) return false
  list.items = [second, first, ...others]
  return true
}

function swapDocuments(_: string, text: string): string {
  const [first, second, ...others] = documentsIn(text)
  return first === undefined || second === undefined ? text : [second, first, ...others].map((document) => document.text).join('---\n')
}

function addEmptyEntry(document: Document): boolean {
  const list = listsIn(document.contents).find(({ items }) => items.some((item) => isMap(item)))
  list?.items.push(document.createNode({}))
  return list !== undefined
}

function listsIn(node: unknown): readonly { items: unknown[] }[] {
  if (!isMap(node) && !isSeq(node)) return []
  return [...(isSeq(node) ? [node] : []), ...node.items.flatMap((item) => listsIn(isPair(item) ? item.value : item))]
}

function withOtherField(result: MergeAnswer['results'][number]): MergeAnswer['results'][number] {
  return result.field === undefined ? result : { ...result, field: { ...result.field, path: [...result.field.path, 'other'] } }
}

function anErrorThatWrites({ theirs }: MergeCase, answer: MergeAnswer): MergeAnswer {
  return answer.results.some(({ severity }) => severity === 'error') ? { ...answer, files: theirs } : answer
}

function onlyWith(strategy: MergeCase['strategy'], mutate: MergeMutant['mutate']): MergeMutant['mutate'] {
  return (merge, answer) => (merge.strategy === strategy ? mutate(merge, answer) : answer)
}

function ownPaths({ base, theirs, ours }: MergeCase): readonly string[] {
  return Object.keys(ours).filter((path) => base[path] === undefined && theirs[path] === undefined)
}

function keepOwnFiles(merge: MergeCase, { files, results }: MergeAnswer): MergeAnswer {
  return { files: { ...files, ...pick(merge.ours, ownPaths(merge)) }, results }
}

function dropOwnFiles(merge: MergeCase, { files, results }: MergeAnswer): MergeAnswer {
  return { files: Object.fromEntries(Object.entries(files).filter(([path]) => !ownPaths(merge).includes(path))), results }
}

function keepChangedFiles(merge: MergeCase, { files, results }: MergeAnswer): MergeAnswer {
  const changed = Object.keys(merge.ours).filter((path) => merge.ours[path] !== merge.base[path])
  return { files: { ...files, ...pick(merge.ours, changed) }, results }
}

function pick(files: Texts, paths: readonly string[]): Texts {
  return Object.fromEntries(paths.map((path) => [path, files[path] ?? '']))
}
