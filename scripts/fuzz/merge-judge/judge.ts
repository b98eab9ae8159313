import { asRecord, equalJson, type JsonRecord, type JsonValue, memberOf } from '../../../src/json.ts'
import type { Result } from '../../../src/result.ts'
import { documentsIn, holdsResources } from './documents.ts'
import { afterMoves } from './moves.ts'
import { reportsOn } from './reports.ts'
import { type Four, isSameText, ResourceJudge } from './resources.ts'
import { same } from './same.ts'

/** The files of a package by their paths. */
export type Texts = Readonly<Record<string, string>>

export type Strategy = 'resource-merge' | 'fast-forward' | 'force-delete-replace' | 'copy-merge'

/** An update of a package: the base is upstream as the downstream last took it. */
export interface MergeCase {
  readonly strategy: Strategy
  readonly base: Texts
  readonly theirs: Texts
  readonly ours: Texts
}

export interface MergeAnswer {
  readonly files: Texts
  readonly results: readonly Result[]
}

/**
 * Returns what is wrong with the answer to an update. The judge knows the strategies from docs/porch.md (Updates) and from the sides; it
 * shares no code with the merge.
 *
 * - resource-merge: each change of either side is in the result, or a warning names the change.
 * - fast-forward: upstream's files, or an error where the downstream changed a file.
 * - force-delete-replace: upstream's files and the merged Kptfile of the package; a warning names each file that people changed.
 * - copy-merge: the same, and the files that only the downstream has stay.
 */
export function judgeMerge(merge: MergeCase, answer: MergeAnswer): readonly string[] {
  if (answer.results.some(({ severity }) => severity === 'error')) return judgeRefusal(merge, answer)
  if (merge.strategy === 'fast-forward' && isEdited(merge)) return ['fast-forward took upstream although the downstream changed a file']
  const faults: string[] = []
  const judged = merge.strategy === 'resource-merge' ? afterMoves(merge) : merge
  for (const path of pathsOf(merge, answer)) {
    const found = new FileJudge(path, judged, answer).faults()
    faults.push(...found.map((fault) => `${path}: ${fault}`))
  }
  return faults
}

function pathsOf({ base, theirs, ours }: MergeCase, { files }: MergeAnswer): readonly string[] {
  return [...new Set([base, theirs, ours, files].flatMap((side) => Object.keys(side)))].sort()
}

/** An error leaves every file as the downstream has it, and has one of the reasons for which an update may be refused. */
function judgeRefusal(merge: MergeCase, { files, results }: MergeAnswer): readonly string[] {
  const touched = pathsOf(merge, { files, results }).filter((path) => files[path] !== merge.ours[path])
  if (touched.length > 0) return [`an error changed ${touched.join()}`]
  if (merge.strategy === 'fast-forward' && isEdited(merge)) return []
  const paths = merge.strategy === 'resource-merge' ? pathsOf(merge, { files, results }) : ['Kptfile']
  const isReason = paths.some((path) => new FileJudge(path, merge, { files: merge.ours, results }).mayRefuse())
  return isReason ? [] : [`an error without a reason: ${results.map(({ message }) => message).join('; ')}`]
}

/**
 * Returns true if the downstream changed a file that a fast-forward would overwrite: in the Kptfile anything but what a clone writes there.
 */
function isEdited({ base, ours }: MergeCase): boolean {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(ours)])]
  return paths.some((path) => {
    const [before, after] = [base, ours].map((side) => documentsIn(side[path])[0]?.value)
    if (path === 'Kptfile') return !same(kptfileByHand(before), kptfileByHand(after))
    if (isContext(path)) return !same(contextByHand(before), contextByHand(after))
    return !isSameText(base[path], ours[path])
  })
}

/** Returns what people write in a Kptfile: a clone writes the name and the upstream, and leaves apiVersion and kind. */
function kptfileByHand(kptfile: JsonValue | undefined): JsonRecord {
  const { apiVersion: _, kind: __, upstream: ____, upstreamLock: _____, metadata, ...others } = asRecord(kptfile)
  const { name: ______, ...own } = asRecord(metadata)
  return { ...others, metadata: own }
}

/** Returns true if a clone or a render wrote a file: a Kptfile that says what it said, without another comment, or a package context. */
function isRewritten(before: string | undefined, after: string | undefined, path: string): boolean {
  const [was, is] = [documentsIn(before)[0], documentsIn(after)[0]]
  if (isContext(path)) return after !== undefined && same(contextByHand(was?.value), contextByHand(is?.value))
  if (!path.endsWith('/Kptfile') || was === undefined || is === undefined) return false
  const known = was.comments.map(({ text }) => text)
  return same(kptfileByHand(was.value), kptfileByHand(is.value)) && is.comments.every(({ text }) => known.includes(text))
}

/** Returns true for the file that a clone for deployment adds to a package. */
function isContext(path: string): boolean {
  return /(^|\/)package-context\.yaml$/.test(path)
}

/** Returns what people write in a package context: a clone writes the ConfigMap, an annotation, and where the package is. */
function contextByHand(context: JsonValue | undefined): JsonRecord {
  const { metadata, data, ...others } = asRecord(context)
  const { annotations, ...own } = asRecord(metadata)
  const { 'config.kubernetes.io/local-config': _, ...written } = asRecord(annotations)
  const { name: __, 'package-path': ___, ...values } = asRecord(data)
  return context === undefined ? MADE_CONTEXT : { ...others, metadata: own, annotations: written, data: values }
}

const MADE_CONTEXT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kptfile.kpt.dev' }, annotations: {}, data: {} }

/** Judges one file. */
class FileJudge {
  readonly #path: string
  readonly #merge: MergeCase
  readonly #results: readonly Result[]
  readonly #texts: Four<string | undefined>
  readonly #resources: ResourceJudge

  constructor(path: string, merge: MergeCase, { files, results }: MergeAnswer) {
    this.#path = path
    this.#merge = merge
    this.#results = results
    this.#texts = { o: merge.base[path], u: merge.theirs[path], d: merge.ours[path], r: files[path] }
    this.#resources = new ResourceJudge(path, results, this.#texts)
  }

  faults(): readonly string[] {
    const { strategy } = this.#merge
    const { o, u, d } = this.#texts
    if (this.#path === 'Kptfile' && d !== undefined) return this.#resources.faults()
    if (strategy === 'fast-forward' && isContext(this.#path)) return this.#context()
    if (strategy !== 'resource-merge')
      return strategy === 'copy-merge' && o === undefined && u === undefined ? this.#left() : this.#replaced()
    const folder = this.#subpackage()
    if (folder !== undefined) return this.#below(folder)
    if (!holdsResources(this.#path) || [o, u, d].some((text) => text !== undefined && documentsIn(text).length === 0))
      return this.#wholeFile()
    return isSameText(o, u) ? this.#left() : this.#resources.faults()
  }

  /** Returns true if the file is one for which an update may be refused. */
  mayRefuse(): boolean {
    const { o, u, d } = this.#texts
    const isAddedTwice = this.#path.endsWith('/Kptfile') && o === undefined && u !== undefined && d !== undefined
    return isAddedTwice || this.#resources.mayRefuse()
  }

  /** A file of a strategy that replaces: upstream's, and a warning where people changed it. */
  #replaced(): readonly string[] {
    const { o, u, d, r } = this.#texts
    const wrong = isSameText(u, r) ? [] : ['is not as upstream has it']
    const isLost = !isSameText(u, d) && !isSameText(o, d)
    return isLost && !this.#isReported() ? [...wrong, 'people changed it, and no warning names it'] : wrong
  }

  /** The package context, which a clone wrote, is merged where the Kptfile beside it stays. */
  #context(): readonly string[] {
    const kptfile = this.#path.replace('package-context.yaml', 'Kptfile')
    if (this.#merge.theirs[kptfile] !== undefined || kptfile === 'Kptfile') return this.#resources.faults()
    return this.#texts.r === undefined ? [] : ['stays in a package that upstream deleted']
  }

  #left(): readonly string[] {
    return this.#texts.r === this.#texts.d ? [] : ['is not as the downstream has it']
  }

  #isReported(): boolean {
    return reportsOn(this.#results, this.#path, undefined).covers([], { d: undefined, u: undefined })
  }

  /**
   * A file without resources: upstream's where the downstream left it alone. A file that the downstream deleted may be back with a warning,
   * and may stay deleted where upstream left it alone.
   */
  #wholeFile(): readonly string[] {
    const { o, u, d, r } = this.#texts
    if (isSameText(o, d)) return isSameText(r, u) ? [] : ['is not as upstream has it']
    if (isSameText(o, u) && (d !== undefined || r === undefined)) return this.#left()
    if (isSameText(u, d)) return isSameText(r, d) ? [] : ['is not as both sides have it']
    if (!isSameText(r, d) && !isSameText(r, u)) return ['is as neither side has it']
    return this.#isReported() ? [] : ['was changed on both sides, and no warning names it']
  }

  /** Returns the outermost subpackage above the file that is not merged file by file: one side deleted it, or it has another upstream. */
  #subpackage(): string | undefined {
    const { base, theirs, ours } = this.#merge
    const folders = this.#path
      .split('/')
      .slice(0, -1)
      .map((_, at, parts) => parts.slice(0, at + 1).join('/'))
    return folders.find((folder) => {
      const kptfile = `${folder}/Kptfile`
      if (base[kptfile] === undefined) return false
      if (this.#becomesFolder(folder)) return this.#makesPackage(folder)
      if (theirs[kptfile] === undefined || ours[kptfile] === undefined) return true
      const [before, now] = [base, ours].map((side) => memberOf(memberOf(documentsIn(side[kptfile])[0]?.value, 'upstream'), 'git'))
      return now !== undefined && !equalJson(before, now)
    })
  }

  /** Returns true for a subpackage of which upstream removed the Kptfile alone: its other files are merged. */
  #becomesFolder(folder: string): boolean {
    const { theirs, ours } = this.#merge
    const [before, after] = [ours, theirs].map((side) => side[`${folder}/Kptfile`])
    return before !== undefined && after === undefined && Object.keys(theirs).some((path) => path.startsWith(`${folder}/`))
  }

  /** Returns true for the files that make a folder a package: they are removed where the downstream left them alone. */
  #makesPackage(folder: string): boolean {
    return this.#path === `${folder}/Kptfile` || (this.#path === `${folder}/package-context.yaml` && this.#texts.u === undefined)
  }

  /** A subpackage that is not merged stays as the downstream has it; one that upstream deleted goes where the downstream left it alone. */
  #below(folder: string): readonly string[] {
    const { base, theirs, ours } = this.#merge
    const isDeletedUpstream = theirs[`${folder}/Kptfile`] === undefined && ours[`${folder}/Kptfile`] !== undefined
    if (!isDeletedUpstream) return this.#left()
    const own = (path: string) =>
      this.#becomesFolder(folder) ? [`${folder}/Kptfile`, `${folder}/package-context.yaml`].includes(path) : true
    const paths = [...Object.keys(base), ...Object.keys(ours)].filter((path) => path.startsWith(`${folder}/`) && own(path))
    const isEdited = paths.some((path) => !isSameText(base[path], ours[path]) && !isRewritten(base[path], ours[path], path))
    if (!isEdited) return this.#texts.r === undefined ? [] : ['upstream deleted its subpackage, which no person changed']
    // The warning is at the first file that people changed.
    const isReported = this.#results.some(({ tags, file }) => tags.rule === 'change-passed-over' && paths.includes(file?.path ?? ''))
    return isReported ? this.#left() : [...this.#left(), 'upstream deleted its subpackage, and no warning says that it stays']
  }
}
