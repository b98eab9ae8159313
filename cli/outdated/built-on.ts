import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { plannedVariants, upstreamOfPlanned } from '../../src/fleet/planned-variants.ts'
import { type RevisionUser, USER_KINDS, usersOf } from '../../src/fleet/releases/built-on.ts'
import type { GitRevision } from '../../src/kinds/kptfile-upstream.ts'
import type { UpstreamFields } from '../../src/kinds/upstream-schema.ts'
import { DEFAULT_NAMESPACE } from '../../src/kubernetes/kinds.ts'
import { printable } from '../../src/printable.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { bareFolder, bareRepo } from '../../src/upstream/origin.ts'
import type { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'
import { namesOfRef } from '../../src/upstream/upstream-places.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { countOf } from '../../src/wording.ts'
import type { ExitCode, Host } from '../host.ts'
import { placed, printResults, shownResults } from '../print/print-results.ts'
import { printDocument } from '../print/print-value.ts'
import { errorStylesFor, type Styles, stylesFor } from '../print/styles.ts'
import type { RingFleet } from '../rings/read-rings.ts'
import { UsageError, unknownName } from '../usage-error.ts'

interface BuiltOnOptions {
  readonly format: 'text' | 'json'
  readonly color?: boolean
}

/** Reads REPOSITORY/PACKAGE@REVISION. @throws UsageError for another form */
function readOn(text: string): UpstreamFields {
  const {
    repo = '',
    packageName = '',
    revision = '',
  } = /^(?<repo>[^/@]+)\/(?<packageName>[^@]+)@(?<revision>[^@]+)$/.exec(text)?.groups ?? {}
  if (repo === '') throw new UsageError(`\`--on\` must be REPOSITORY/PACKAGE@REVISION, such as catalog/base@2, got ${quoteText(text)}`)
  return { repo, package: bareFolder(packageName), revision }
}

/**
 * Prints what is built on a revision of an upstream, and whether the revision may go. Returns 0 if nothing is, 2 if something is, 1 if
 * that is not known.
 *
 * @throws UsageError for a revision that the fleet neither has nor uses: a misspelt one would look like one that may go
 */
export function showUsers(on: string, fleet: RingFleet, options: BuiltOnOptions, host: Host): ExitCode {
  const asked = readOn(on)
  const { plan, reading, outside } = fleet
  const { items } = reading.read.list
  const { library } = reading.library(plan)
  const namespaces = [
    ...new Set([DEFAULT_NAMESPACE, ...plan.sets.map(({ owner }) => owner.namespace), ...items.flatMap(({ namespace }) => namespace || [])]),
  ]
  const addresses = namespaces.map((namespace) => library.address(asked, namespace))
  const isAsked = (upstream: UpstreamFields, namespace: string): boolean => {
    const { names } = library.address(asked, namespace)
    if (upstream.repo !== asked.repo || bareFolder(upstream.package) !== asked.package) return false
    return library.address(upstream, namespace).names.some((name) => names.includes(name))
  }
  const isLocked = ({ repo, directory, ref }: GitRevision): boolean =>
    addresses.some(({ repo: known, directories, names }) => {
      const folder = bareFolder(directory)
      return bareRepo(repo) === known && directories.includes(folder) && namesOfRef(ref, folder).some((name) => names.includes(name))
    })
  const kptfiles = [...items.filter(({ kind, file }) => kind === KPTFILE && file !== undefined), ...outside]
  const found = usersOf({ isAsked, isLocked }, plan, items.filter(isPackageVariant), kptfiles)
  if (found.users.length === 0) requireKnown(asked, namespaces, plan, library)
  const results = shownResults([...fleet.results, ...found.results])
  const isUnseen = fleet.known === 'unknown' && plan.fleet.revisions().size === 0
  if (isUnseen) host.warn('the packages are not known: neither --out nor the options of render-variants name their folder\n')
  const isUnclear = isUnseen || hasErrors(results) || found.results.length > 0
  host.warn(printResults(results, errorStylesFor(host, options)))
  const answer = { asked, users: found.users, isUnclear }
  host.write(options.format === 'json' ? usersJson(answer, results) : usersText(answer, stylesFor(host, options)))
  if (isUnclear) return 1
  return found.users.length > 0 ? 2 : 0
}

/** Refuses a revision that is nowhere. @throws UsageError */
function requireKnown(asked: UpstreamFields, namespaces: readonly string[], plan: FleetPlan, library: UpstreamLibrary): void {
  if (namespaces.some((namespace) => library.has(asked, namespace))) return
  const name = `${asked.repo}/${asked.package}`
  const { newest } = library.newest(asked, namespaces[0] ?? DEFAULT_NAMESPACE)
  const known = new Set(plannedVariants(plan).map((variant) => `${upstreamOfPlanned(variant).repo}/${upstreamOfPlanned(variant).package}`))
  if (newest === undefined && !known.has(name)) throw unknownName('upstream', name, [...known])
  const there = newest === undefined ? 'none of its revisions is known' : `its newest revision is ${newest}`
  throw new UsageError(`no revision ${quoteText(String(asked.revision))} of ${quoteText(name)}; ${there}`)
}

interface Answer {
  readonly asked: UpstreamFields
  readonly users: readonly RevisionUser[]
  /** True if not every user is known. */
  readonly isUnclear: boolean
}

const NOUNS = { set: 'set or ring', variant: 'PackageVariant', package: 'package', revision: 'PackageRevision' } as const
const HEADS = { set: 'sets and rings', variant: 'PackageVariants', package: 'packages', revision: 'PackageRevisions' } as const

function usersText({ asked, users, isUnclear }: Answer, styles: Styles): string {
  const kinds = USER_KINDS.map((kind) => ({ kind, own: users.filter((user) => user.kind === kind) })).filter(({ own }) => own.length > 0)
  const counts = kinds.map(({ kind, own }) =>
    kind === 'set' && own.length > 1 ? `${own.length} sets or rings` : countOf(own.length, NOUNS[kind]),
  )
  const listed = [counts.slice(0, -1).join(', '), ...counts.slice(-1)].filter((part) => part !== '').join(' and ')
  const name = `${asked.repo}/${asked.package}@${asked.revision}`
  const used = `must stay: ${listed} ${users.length === 1 ? 'is' : 'are'} built on it`
  const free = isUnclear
    ? 'may be in use: nothing that is known is built on it, and not everything is known'
    : 'may go: nothing of this fleet is built on it'
  const parts = kinds.map(({ kind, own }) => {
    const lines = own.map(({ name: user, object, path }) => {
      const { place } = placed(object, path)
      return `  ${printable(user)}${place === undefined ? '' : `  ${styles.faint(printable(place))}`}\n`
    })
    return `\n${HEADS[kind]}\n${lines.join('')}`
  })
  return [`${styles.strong(printable(name))} ${users.length > 0 ? used : free}\n`, ...parts].join('')
}

function usersJson({ asked, users, isUnclear }: Answer, results: readonly Result[]): string {
  const listed = users.map(({ kind, name, object, path }) => ({ kind, name, ...placed(object, path) }))
  const on = `${asked.repo}/${asked.package}@${asked.revision}`
  const mayGo = users.length === 0 && !isUnclear
  return printDocument({ on, mayGo, users: listed }, results)
}
