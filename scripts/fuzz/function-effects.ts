/** The effects that a function may have on a list: the judge of `function-runs.ts` allows nothing else. */
export interface Effects {
  /** Root keys of an object of a kind that it may change; '*' for any kind or any key. */
  readonly changes: Readonly<Record<string, readonly string[]>>
  /** Kinds that it may add and remove. */
  readonly adds: readonly string[]
  readonly removes: readonly string[]
  /** Its results may say what this run did, which a second run does not do again. */
  readonly tellsOfTheRun?: boolean
  /** True if an injection writes again what upstream no longer has, with the value that it had and no comment. */
  readonly rewrites?: boolean
}

const NOTHING: Effects = { changes: {}, adds: [], removes: [] }
const VARIANTS = ['PackageVariant']

export const EFFECTS: Readonly<Record<string, Effects>> = {
  'set-context': { ...NOTHING, changes: { ConfigMap: ['data'] }, adds: ['ConfigMap'] },
  // A comment of a function that was removed is reported by the run that removed it.
  'prepend-pipeline': { ...NOTHING, changes: { Kptfile: ['pipeline'] }, tellsOfTheRun: true },
  // An injection point is of any kind; what became of it stands in the Kptfile.
  'inject-config': { ...NOTHING, changes: { '*': ['spec', 'data', 'metadata'], Kptfile: ['info', 'status'] } },
  // The uid of a set is known by the variants of a cluster alone: a run that removes the last of them is the last to name it.
  'fan-out': { changes: { PackageVariant: ['*'], PackageVariantSet: ['status'] }, adds: VARIANTS, removes: VARIANTS, tellsOfTheRun: true },
  'check-dependencies': NOTHING,
  'check-policies': NOTHING,
  'resolve-dependencies': { changes: { '*': ['*'] }, adds: ['*'], removes: ['*'] },
  'render-variants': { changes: { '*': ['*'] }, adds: ['*'], removes: ['*'], tellsOfTheRun: true, rewrites: true },
}

export function allows(list: readonly string[], kind: string): boolean {
  return list.includes('*') || list.includes(kind)
}

/** The root keys of an object that a function may change. */
export function changeable({ changes }: Effects, kind: string): readonly string[] {
  return [...(changes[kind] ?? []), ...(changes['*'] ?? [])]
}
