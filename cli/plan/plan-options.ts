import { InvalidArgumentError } from 'commander'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import { UsageError } from '../usage-error.ts'
import { type PlanFilter, SMALLEST_LIMIT } from './fit-plan.ts'
import { OPERATIONS, type Operation } from './plan-view.ts'

/** The options of the command. */
export interface PlanOptions extends PlanFilter, Omit<FleetChoices, 'out'> {
  readonly format: Format
  readonly all?: boolean
  readonly maxChars?: number
  readonly against?: string
  readonly againstCluster?: string
  readonly out?: string
  readonly shards?: number
  readonly packages?: string
  readonly followRenames?: boolean
  readonly discardEdits?: boolean
  readonly watch?: boolean
  readonly color?: boolean
}

type Format = (typeof FORMATS)[number]

/** The page is made of the plan itself, the other formats of its view. */
export const FORMATS = ['text', 'json', 'markdown', 'html'] as const

/** Refuses options that exclude each other or lack an option that they need. @throws UsageError with the first fault */
export function refuseTogether(
  dir: string,
  { format, maxChars, out, set, only, against, againstCluster, watch, ...saving }: PlanOptions,
): void {
  if (against !== undefined && againstCluster !== undefined)
    throw new UsageError('`--against` must not come with --against-cluster: a plan has one state to compare with')
  if (againstCluster === '-' && (dir === '-' || watch === true))
    throw new UsageError('`--against-cluster -` must come with a folder and without --watch: stdin is read once')
  if (against === '') throw new UsageError('`--against` must name a git revision, such as origin/main, got an empty text')
  if (format === 'html' && maxChars !== undefined) throw new UsageError('`--max-chars` must not come with --format html: a page is whole')
  const { followRenames, discardEdits } = saving
  const needing = givenAmong({ 'follow-renames': followRenames, 'discard-edits': discardEdits })
  if (out === undefined && needing.length > 0) throw new UsageError(`\`${needing.join('`, `')}\` must come with --out FILE`)
  if (out === undefined) return
  if (dir === '-') throw new UsageError('`--out` must save the plan of a folder, got -')
  const others = givenAmong({ set, only, against, 'against-cluster': againstCluster, watch, cluster: saving.cluster })
  if (others.length > 0)
    throw new UsageError(`\`--out\` must not come with ${others.join(', ')}: what is saved is the whole plan of the folder`)
}

/** Refuses options that a plan in shards does not read. @throws UsageError with the first fault */
export function refuseWithShards(options: PlanOptions): void {
  const { packages, followRenames, discardEdits, offline, gitTimeout, cluster, format, all, maxChars } = options
  const others = givenAmong({
    packages,
    'follow-renames': followRenames,
    'discard-edits': discardEdits,
    offline,
    'git-timeout': gitTimeout,
    cluster,
  })
  if (others.length > 0) throw new UsageError(`\`--shards\` must not come with ${others.join(', ')}: render is given them for each shard`)
  const printing = givenAmong({
    format: format === 'text' ? undefined : format,
    all,
    'max-chars': maxChars,
  })
  if (printing.length > 0) throw new UsageError(`\`--shards\` must not come with ${printing.join(', ')}: it prints no plan`)
}

function givenAmong(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(options).flatMap(([name, given]) => (given === undefined ? [] : [`--${name}`]))
}

/** Reads `--only`. */
export function parseOperations(text: string): readonly Operation[] {
  return text.split(',').map((word) => OPERATIONS.find((op) => op === word.trim()) ?? refuseOperation(word.trim()))
}

function refuseOperation(word: string): never {
  throw new InvalidArgumentError(`It must be some of ${OPERATIONS.join(', ')}, joined by commas${didYouMean(word, OPERATIONS) || '.'}`)
}

const MOST_SHARDS = 100_000

/** Reads `--shards`. */
export function parseShards(text: string): number {
  const shards = /^\d+$/.test(text) ? Number(text) : 0
  if (shards < 1 || shards > MOST_SHARDS) throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_SHARDS}.`)
  return shards
}

/** Reads `--max-chars`. */
export function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < SMALLEST_LIMIT)
    throw new InvalidArgumentError(`It must be a whole number, at least ${SMALLEST_LIMIT}.`)
  return limit
}
