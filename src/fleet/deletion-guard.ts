import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef } from '../result.ts'
import type { TextOption } from '../schema/read-text-options.ts'
import type { Schema } from '../schema/schema.ts'
import { nameFirst } from '../wording.ts'
import type { DeletionLimit, DeletionOptions } from './options.ts'

/** The schema of the option `maxDeletions` of a functionConfig. */
export const DELETION_LIMIT = {
  type: ['integer', 'string'],
  minimum: 0,
  pattern: '^[0-9]+%$',
  examples: [10, '30%'],
} as const satisfies Schema

/** The option `maxDeletions` of a ConfigMap. */
export const DELETION_LIMIT_TEXT: TextOption<number | string> = {
  allowed: "a number or a percentage such as '30%'",
  read: (text) => (/^[0-9]+%$/.test(text) ? text : /^[0-9]+$/.test(text) ? Number(text) : undefined),
}

/** Returns the limit for a value that fits the schema: `10`, `'30%'`. */
export function readDeletionLimit(written: number | string): DeletionLimit {
  return typeof written === 'number' ? { count: written } : { percent: Number(written.slice(0, -1)) }
}

/** The limit of removals without `maxDeletions`: 5, or 20 percent if that is more. */
const DEFAULT_COUNT = 5
const DEFAULT_PERCENT = 20
const LISTED_NAMES = 1000
/** The name of the ConfigMap that kpt makes from the `configMap` of a Kptfile. */
const INLINE = 'function-input'

/** The variants that a set would lose. */
export interface Loss {
  /** The number of variants that the set owns. */
  readonly existing: number
  /** The names of the variants to remove, including renamed ones. */
  readonly removed: readonly string[]
  /** The number of places that the targets of the set match. No place at all is a mistake unless the options allow it. */
  readonly matches: number
  /** The reasons why the targets match nothing, for messages. */
  readonly whyNone: readonly string[]
}

/** Returns the message that refuses the removals of a set; undefined if the removals are allowed. */
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
  return `must not remove more than ${limit} of ${existing} variants (${whereLimit(options)}), but would remove ${removed.length} (${names}); ${meant}`
}

/** Returns the place of the limit of removals: `` `maxDeletions` at fan-out.yaml:6:17 ``, or that it is the default. */
function whereLimit({ maxDeletions, config }: DeletionOptions): string {
  if (maxDeletions === undefined) return 'the default of `maxDeletions`'
  if (config?.file === undefined) return config?.name === INLINE ? '`maxDeletions` in the Kptfile' : '`maxDeletions` of the functionConfig'
  const { line, column } = config.positionOf(optionPath(config, 'maxDeletions'))
  return `\`maxDeletions\` at ${config.file.path}:${line}:${column}`
}

/** Returns the path of an option in a functionConfig. */
export function optionPath({ kind }: KrmObject, name: string): FieldPath {
  return [kind === 'ConfigMap' ? 'data' : 'spec', name]
}

/** The fewest variants or packages of which a loss of most is a warning. */
const FEWEST = 4

/**
 * Returns true if removals take more than half of what exists and no option says that they are meant: no more than the default limit may be
 * nearly all of a small fleet, so a warning names them.
 */
export function isMostOf(existing: number, removed: number, { maxDeletions, allowEmpty }: DeletionOptions): boolean {
  return maxDeletions === undefined && !allowEmpty && existing >= FEWEST && 2 * removed > existing
}

/** Returns an option as the user must write it, and the place: the functionConfig if there is one, else the Kptfile. */
export function describeOption(name: string, value: string, { config }: DeletionOptions): string {
  if (config?.kind === 'FanOut') return `\`spec.${name}: ${value}\` in ${describeConfig(config)}`
  if (config?.kind === 'ConfigMap' && config.name !== INLINE) return `\`data.${name}: "${value}"\` in ${describeConfig(config)}`
  return `\`${name}: "${value}"\` in the \`configMap\` of fan-out in the Kptfile`
}

function describeConfig({ ref, file }: KrmObject): string {
  return `the functionConfig, ${formatResourceRef(ref)}${file === undefined ? '' : ` in ${file.path}`}`
}

/** Returns the number of removals that are allowed for a number of existing variants. Percentages are rounded up. */
export function deletionLimit(existing: number, limit: DeletionLimit | undefined): number {
  if (limit === undefined) return Math.max(DEFAULT_COUNT, shareOf(existing, DEFAULT_PERCENT))
  return 'count' in limit ? limit.count : shareOf(existing, limit.percent)
}

function shareOf(existing: number, percent: number): number {
  return Math.ceil((existing * percent) / 100)
}
