import { documentsIn, holdsResources } from './documents.ts'
import type { MergeCase, Texts } from './judge.ts'
import { isSameText } from './resources.ts'

/** Returns a case as if people had made their edits after upstream moved resources to other files (docs/porch.md U23). */
export function afterMoves(merge: MergeCase): MergeCase {
  const [base, ours] = [{ ...merge.base }, { ...merge.ours }]
  for (const [identity, [from, ...others]] of filesOf(merge.base)) {
    const [to, ...more] = filesOf(merge.theirs).get(identity) ?? []
    if (from === undefined || to === undefined || from === to || others.length > 0 || more.length > 0) continue
    const [was, is] = [merge.base, merge.ours].map((side) => documentOf(side[from], identity)?.text)
    const isTaken = is !== undefined && documentOf(merge.ours[to], identity) !== undefined
    if (isTaken || packageOf(from, merge) !== packageOf(to, merge) || (is !== undefined && isSameText(was, is))) continue
    for (const side of [base, ours]) moveDocument(side, identity, from, to)
  }
  return { ...merge, base, ours }
}

/** Returns the files of each resource of one side. */
function filesOf(side: Texts): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const [path, text] of Object.entries(side)) {
    if (!holdsResources(path) || /(^|\/)Kptfile$/.test(path)) continue
    for (const { identity } of documentsIn(text)) files.set(identity, [...(files.get(identity) ?? []), path])
  }
  return files
}

function documentOf(text: string | undefined, identity: string) {
  return documentsIn(text).find((document) => document.identity === identity)
}

/** Returns the folder of the Kptfile above a file, on any side. */
function packageOf(path: string, { base, theirs, ours }: MergeCase): string {
  const folders = path.split('/').map((_, at, parts) =>
    parts
      .slice(0, at)
      .map((part) => `${part}/`)
      .join(''),
  )
  return folders.findLast((folder) => [base, theirs, ours].some((side) => side[`${folder}Kptfile`] !== undefined)) ?? ''
}

function moveDocument(side: Record<string, string>, identity: string, from: string, to: string): void {
  const document = documentOf(side[from], identity)
  if (document === undefined) return
  const left = documentsIn(side[from]).filter((other) => other !== document)
  if (left.length === 0) delete side[from]
  else side[from] = left.map(({ text }) => text).join('---\n')
  side[to] = [...documentsIn(side[to]), document].map(({ text }) => text).join('---\n')
}
