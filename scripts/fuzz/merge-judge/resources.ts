import { asRecord, equalJson, type JsonRecord, type JsonValue, memberOf, scalarText } from '../../../src/json.ts'
import type { Result } from '../../../src/result.ts'
import { documentsIn, type JudgedDocument } from './documents.ts'
import { type FieldJudgement, judgeFields } from './fields.ts'
import { type Reports, reportsOn } from './reports.ts'
import { same } from './same.ts'

/** The documents, or the text, of one file or one resource: of base, upstream, downstream and result. */
export type Four<T> = Record<'o' | 'u' | 'd' | 'r', T>

/** Judges the resources of one file. */
export class ResourceJudge {
  readonly #path: string
  readonly #results: readonly Result[]
  readonly #sides: Four<readonly JudgedDocument[]>
  readonly #isKptfile: boolean

  constructor(path: string, results: readonly Result[], { o, u, d, r }: Four<string | undefined>) {
    this.#path = path
    this.#results = results
    this.#sides = { o: documentsIn(o), u: documentsIn(u), d: documentsIn(d), r: documentsIn(r) }
    this.#isKptfile = /(^|\/)Kptfile$/.test(path)
  }

  faults(): readonly string[] {
    const { o, u, d, r } = this.#sides
    if (this.#isKptfile && d[0] !== undefined) return this.#kptfile({ o: o[0], u: u[0], d: d[0], r: r[0] })
    return [...this.#identities().flatMap((identity) => this.#resource(resourceOf(this.#sides, identity))), ...misplaced(this.#sides)]
  }

  /** Returns true if a resource is one for which an update may be refused: a change of type, an alias, two resources of one identity. */
  mayRefuse(): boolean {
    const sides = Object.values(this.#sides)
    if (sides.flat().some(({ hasAlias }) => hasAlias)) return true
    if (sides.some((side) => new Set(side.map(({ identity }) => identity)).size < side.length)) return true
    return this.#identities().some((identity) => {
      const four = resourceOf(this.#sides, identity)
      return four.u !== undefined && four.d !== undefined && this.#fields({ ...four, r: four.d }).mayRefuse
    })
  }

  #identities(): readonly string[] {
    const all = Object.values(this.#sides).flat()
    return [...new Set(all.map(({ identity }) => identity))]
  }

  #kptfile(four: Four<JudgedDocument | undefined> & { readonly d: JudgedDocument }): readonly string[] {
    const { d, r } = four
    if (r === undefined) return ['the Kptfile is gone']
    const [own, mine] = [kptfileShare(d.value, false), kptfileShare(r.value, false)]
    const isOwn = same(own, mine) && (this.#path !== 'Kptfile' || same(memberOf(d.value, 'upstream'), memberOf(r.value, 'upstream')))
    const renamed = isOwn ? [] : ["the Kptfile has another name, or another upstream, than the downstream's"]
    return [...this.#fields(four).faults, ...renamed, ...this.#comments(four)]
  }

  #resource(four: Four<JudgedDocument | undefined>): readonly string[] {
    const { o, u, d, r } = four
    const named = d ?? u ?? o ?? r
    const fault = this.#presence(four)
    const faults = u === undefined || d === undefined || r === undefined ? [] : [...this.#fields(four).faults, ...this.#comments(four)]
    return [...fault, ...faults].map((each) => `${named?.kind} ${named?.name} ${each}`)
  }

  /** A resource that one side added, or removed. */
  #presence({ o, u, d, r }: Four<JudgedDocument | undefined>): readonly string[] {
    if (u !== undefined && d !== undefined) return r === undefined ? ['is gone'] : []
    const left = u ?? d
    if (left === undefined) return r === undefined ? [] : ['is on no side']
    if (o === undefined) return isSameText(left.text, r?.text) ? [] : ['is not as it was added']
    if (isSameText(o.text, left.text)) return r === undefined ? [] : ['was removed, and is in the result']
    return this.#removedAndChanged(left, d, r)
  }

  /** Returns the faults of what one side removed and the other changed: it must be as the downstream has it, with a warning. */
  #removedAndChanged(left: JudgedDocument, d: JudgedDocument | undefined, r: JudgedDocument | undefined): readonly string[] {
    if (!isSameText(d?.text, r?.text)) return ['was removed on one side and changed on the other, and is not as the downstream has it']
    const isReported = this.#reports(left).covers([], { d: undefined, u: undefined })
    return isReported ? [] : ['was removed on one side and changed on the other, and no warning says so']
  }

  #fields({ o, u, d, r }: Four<JudgedDocument | undefined>): FieldJudgement {
    const sharedValue = (document: JudgedDocument | undefined) =>
      document !== undefined && this.#isKptfile ? kptfileShare(document.value, true) : document?.value
    const of = [o, u, d].flatMap((side) => side ?? [])
    const kinds = of.map(({ value, kind }) => ({ apiVersion: scalarText(memberOf(value, 'apiVersion')), kind }))
    return judgeFields(
      { o: sharedValue(o), u: sharedValue(u), d: sharedValue(d), r: sharedValue(r) },
      { of: kinds, reports: this.#reports(d) },
    )
  }

  #reports(about: JudgedDocument | undefined): Reports {
    return reportsOn(this.#results, this.#path, about)
  }

  /**
   * The comments that people wrote downstream are in the result or in a warning. Upstream's new ones are in the result where the downstream
   * left alone what holds them.
   */
  #comments({ o, u, d, r }: Four<JudgedDocument | undefined>): readonly string[] {
    if (u === undefined || d === undefined || r === undefined) return []
    const reports = this.#reports(d)
    const texts = (side: JudgedDocument | undefined) => new Set(side?.comments.map(({ text }) => text))
    const [inBase, inUpstream, inDownstream, inResult] = [o, u, d, r].map(texts)
    const isLeft = (key: string) => same(memberOf(o?.value, key), memberOf(d.value, key)) && sameComments(o, d, key)
    const lost = d.comments.filter(({ text }) => !inBase?.has(text) && !inResult?.has(text) && !reports.coversComment(text))
    const isMerged = (key: string) => key !== '' && (!this.#isKptfile || !OWN_PARTS.includes(key))
    const missed = u.comments.filter(({ text, key }) => isMerged(key) && !inBase?.has(text) && !inResult?.has(text) && isLeft(key))
    const removed = (o?.comments ?? []).filter(
      ({ text, key }) => inResult?.has(text) && !inDownstream?.has(text) && inUpstream?.has(text) && memberOf(d.value, key) !== undefined,
    )
    return [
      ...lost.map(({ text }) => `the downstream's comment ${text} is gone without a warning`),
      ...missed.map(({ text }) => `upstream's comment ${text} is missing`),
      ...removed.map(({ text }) => `the comment ${text}, which the downstream removed, is back`),
    ]
  }
}

function sameComments(o: JudgedDocument | undefined, d: JudgedDocument, key: string): boolean {
  const under = (side: JudgedDocument | undefined) => side?.comments.flatMap((comment) => (comment.key === key ? [comment.text] : []))
  return equalJson(under(o), under(d))
}

/** Returns true if two files hold the same lines, but for spaces at their ends and for what a clone writes on every resource. */
export function isSameText(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a === b || ownLines(a) === ownLines(b)
}

function ownLines(text: string): string {
  return text
    .replaceAll(/^(metadata:)[ \t]+#\s*kpt-merge:.*$/gm, '$1')
    .replaceAll(/^ +["']?internal\.kpt\.dev\/upstream-identifier["']?:.*\n/gm, '')
    .replaceAll(/^( +)annotations:[ \t]*\n(?!\1 )/gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
}

/** The fields of a Kptfile that upstream's changes do not reach. */
const OWN_PARTS = ['apiVersion', 'kind', 'upstream', 'upstreamLock']

/** Returns what of a Kptfile a merge merges; the name and the upstream of the package are the downstream's own (docs/porch.md, U2, U12). */
function kptfileShare(kptfile: JsonValue | undefined, isMerged: boolean): JsonRecord {
  const { apiVersion, kind, upstream: _, upstreamLock: __, metadata, ...merged } = asRecord(kptfile)
  const { annotations, labels, ...own } = asRecord(metadata)
  const defined = (record: Readonly<Record<string, JsonValue | undefined>>) =>
    Object.fromEntries(Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])))
  const marks = defined({ annotations, labels })
  return isMerged
    ? defined({ ...merged, metadata: Object.keys(marks).length === 0 ? undefined : marks })
    : defined({ apiVersion, kind, metadata: own })
}

function resourceOf(sides: Four<readonly JudgedDocument[]>, identity: string): Four<JudgedDocument | undefined> {
  const at = (side: readonly JudgedDocument[]) => side.find((document) => document.identity === identity)
  return { o: at(sides.o), u: at(sides.u), d: at(sides.d), r: at(sides.r) }
}

/**
 * Resources twice, and resources in an order that neither side has. The order is judged where no side added or removed a resource: kpt, and
 * the merge with it, otherwise counts places.
 */
function misplaced({ o, u, d, r }: Four<readonly JudgedDocument[]>): readonly string[] {
  const [inO, inU, inD, inR] = [o, u, d, r].map((side) => side.map(({ identity }) => identity))
  if (inO === undefined || inU === undefined || inD === undefined || inR === undefined) return []
  const twice = inR.filter((identity, at) => inR.indexOf(identity) !== at && inD.filter((other) => other === identity).length < 2)
  const isJudged = [inU, inD, inR].every((side) => side.toSorted().join() === inO.toSorted().join())
  const wanted = inO.join() === inU.join() ? inD : inO.join() === inD.join() ? inU : inR
  const isOrdered = !isJudged || inR.join() === wanted.join()
  return [...twice.map((identity) => `${identity} is there twice`), ...(isOrdered ? [] : ['its resources have another order'])]
}
