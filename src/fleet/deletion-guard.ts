import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef } from '../result.ts'
import { nameFirst } from '../wording.ts'
import type { DeletionLimit } from './deletion-limit.ts'
import type { DeletionOptions } from './options.ts'

/** How many removals are let through when `maxDeletions` says nothing: 5, or 20 percent where that is more. */
const DEFAULT_COUNT = 5
const DEFAULT_PERCENT = 20
const LISTED_NAMES = 1000
/** The name under which kpt sends the `configMap` of a Kptfile. */
const INLINE = 'function-input'

/** What a set would lose. */
export interface Loss {
  /** How many variants it has. */
  readonly existing: number
  /** The names of those that would go, renamed ones among them. */
  readonly removed: readonly string[]
  /** How many places its targets match; none at all is a mistake unless the options allow it. */
  readonly matches: number
  /** Why it matches nothing, for people. */
  readonly whyNone: readonly string[]
}

/** Why a set must not lose that many variants at once, for people, or undefined when it may. */
export function refuseDeletions({ existing, removed, matches, whyNone }: Loss, options: DeletionOptions): string | undefined {
  if (removed.length === 0) return undefined
  const names = nameFirst(removed, LISTED_NAMES)
  if (matches === 0 && !options.allowEmpty) {
    const why = whyNone.length === 0 ? 'nothing matches' : whyNone.join('; ')
    return `must match something: ${why}; all variants of the set would be removed (${names}); if that is meant, set ${describeOption('allowEmpty', 'true', options)}`
  }
  const limit = deletionLimit(existing, options.maxDeletions)
  if (removed.length <= limit) return undefined
  const meant = `if that is meant, set ${describeOption('maxDeletions', String(removed.length), options)}`
  return `must not remove more than ${limit} of ${existing} variants, but would remove ${removed.length} (${names}); ${meant}`
}

/** An option as it is written, and where: in the functionConfig that there is, else in the Kptfile. */
export function describeOption(name: string, value: string, { config }: DeletionOptions): string {
  if (config?.kind === 'FanOut') return `\`spec.${name}: ${value}\` in ${describeConfig(config)}`
  if (config?.kind === 'ConfigMap' && config.name !== INLINE) return `\`data.${name}: "${value}"\` in ${describeConfig(config)}`
  return `\`${name}: "${value}"\` in the \`configMap\` of fan-out in the Kptfile`
}

function describeConfig({ ref, file }: KrmObject): string {
  return `the functionConfig, ${formatResourceRef(ref)}${file === undefined ? '' : ` in ${file.path}`}`
}

/** The number of removals that are let through where there are `existing`; percentages are rounded up. */
export function deletionLimit(existing: number, limit: DeletionLimit | undefined): number {
  if (limit === undefined) return Math.max(DEFAULT_COUNT, shareOf(existing, DEFAULT_PERCENT))
  return 'count' in limit ? limit.count : shareOf(existing, limit.percent)
}

function shareOf(existing: number, percent: number): number {
  return Math.ceil((existing * percent) / 100)
}
