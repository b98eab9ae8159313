import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { formatResourceRef } from '../../result.ts'
import { asQuestion, didYouMean, nearestNames } from '../../schema/nearest-name.ts'
import { type Finding, formatPlace, listNames, listSome } from '../finding.ts'
import type { Install, PackageIndex } from '../package-index.ts'
import { clauseOf, type Plan, type PlanInput } from './plan.ts'
import { satisfyRequirements } from './satisfy-requirements.ts'

/** A request to move an installed package, as a person writes it (`glasskube update NAME --version VERSION`). */
export interface UpdateRequest {
  /** The name of the object or package: `NAME`, `NAMESPACE/NAME`, `KIND/NAME`, `KIND/NAMESPACE/NAME`, a source or refName. */
  readonly name: string
  /** The version to move to; undefined for the latest. */
  readonly version?: string | undefined
}

/** A request that cannot be followed. */
export interface UpdateFault {
  readonly request: UpdateRequest
  /** The field of the request that is wrong. */
  readonly key: keyof UpdateRequest
  /** The text after the field: `must name an installed package, got 'shpo'`. */
  readonly message: string
}

/** A request with the install that it names. */
interface Update {
  readonly request: UpdateRequest
  readonly install: Install
  readonly index: PackageIndex
  /** The versions to which the install may move: those above the installed one up to the goal; the installed one if there is none. */
  readonly texts: readonly string[]
  /** The version to reach: the requested one, else the latest. The installed one if the latest is not above it. */
  readonly goal: string
  /** The latest version; '' if a version is requested. */
  readonly latest: string
}

/** The updates of some requests, or the faults of the requests. */
export interface Updates {
  readonly all: readonly Update[]
  readonly faults: readonly UpdateFault[]
}

/** Finds the installs that requests name, and the versions that they may move to. Reports every request that cannot be followed. */
export function findUpdates(requests: readonly UpdateRequest[], indexes: readonly PackageIndex[], policy: UpdatePolicy): Updates {
  if (requests.length === 0) return { all: [], faults: [] }
  const native = 'must not be given with `strategy: native`: no package manager moves a pinned package by itself'
  if (policy.strategy === 'native') return { all: [], faults: requests.map((request) => ({ request, key: 'name', message: native })) }
  const installs = indexes.flatMap((index) => index.installs.map((install) => ({ install, index })))
  const names = installs.flatMap((found) => namesOf(found.install).map((name) => ({ name, found })))
  const byName = groupBy(names, ({ name }) => name)
  const near = nearestNames()([...byName.keys()])
  const installed = listNames(listSome([...new Set(installs.map(({ install }) => install.package.id))].toSorted(compareText)))
  const hintFor = (name: string) => {
    const nearest = near(name)
    if (nearest !== undefined) return asQuestion(nearest)
    return installed === '' ? '; nothing is installed' : `; installed: ${installed}`
  }
  const all = new Map<Install, Update>()
  const faults: UpdateFault[] = []
  for (const request of requests) {
    const named = [...new Set((byName.get(request.name) ?? []).map(({ found }) => found))]
    const [only] = named
    const found =
      only === undefined || named.length > 1 ? nameFault(request, named, hintFor) : updateOf(request, only, policy, all.get(only.install))
    if ('message' in found) faults.push(found)
    else all.set(found.install, found)
  }
  return { all: [...all.values()], faults }
}

interface UpdatePolicy {
  readonly strategy: 'satisfy' | 'native'
  readonly downgrades: boolean
}

type Found = Pick<Update, 'install' | 'index'>

/** Returns the names by which a request may name an install. */
function namesOf({ place: { ref }, package: pkg }: Install): string[] {
  const own = ref.namespace === undefined ? [ref.name] : [ref.name, `${ref.namespace}/${ref.name}`]
  return [...new Set([...own, ...own.map((name) => `${ref.kind}/${name}`), pkg.id, pkg.name])]
}

function nameFault(request: UpdateRequest, found: readonly Found[], hintFor: (name: string) => string): UpdateFault {
  const { name } = request
  if (found.length === 0) return { request, key: 'name', message: `must name an installed package, got '${name}'${hintFor(name)}` }
  const objects = listNames(listSome(found.map(({ install }) => formatResourceRef(install.place.ref)).toSorted(compareText)))
  return { request, key: 'name', message: `must name one package, got '${name}', the name of ${objects}; 'KIND/NAMESPACE/NAME' names one` }
}

function updateOf(request: UpdateRequest, found: Found, policy: UpdatePolicy, earlier: Update | undefined): Update | UpdateFault {
  const { install, index } = found
  const { package: pkg, text } = install
  const latest = index.latest?.(install) ?? pkg.versions.find((each) => index.chooses(each))?.text ?? text
  const name = installFault(request, install, earlier) ?? (request.version === undefined ? latestFault(latest, install) : undefined)
  if (name !== undefined) return { request, key: 'name', message: name }
  const version = request.version === undefined ? undefined : versionFault(request.version, found, policy)
  if (version !== undefined) return { request, key: 'version', message: version }
  if (request.version !== undefined) return { request, install, index, goal: request.version, latest: '', texts: [request.version] }
  const goal = orderOf(latest, install, index) > 0 ? latest : text
  return { request, install, index, goal, latest, texts: [text, ...versionsUpTo(latest, install, index)] }
}

/** Returns the fault of a request for a package that no update moves. */
function installFault(request: UpdateRequest, install: Install, earlier: Update | undefined): string | undefined {
  const { package: pkg, text, digest, movable, version } = install
  if (earlier !== undefined && earlier.request.version !== request.version)
    return `must not name a package twice with different versions, got '${request.name}'`
  if (digest !== undefined)
    return `must not name a package that is installed by a digest, which no version follows: ${describeObject(install)}`
  if (!movable || version === undefined)
    return `must name a package whose version can be set; ${describeObject(install)} has ${text === '' ? 'none' : `'${text}'`}`
  if (pkg.versions.length === 0)
    return `must name a package with known versions; none is known of ${pkg.name}: a Catalog would say which there are`
  return undefined
}

function versionFault(version: string, { install, index }: Found, { downgrades }: UpdatePolicy): string | undefined {
  const { follows, text, package: pkg, place } = install
  if (follows !== undefined)
    return `must not be set for a package that moves by itself, got '${version}': ${describeObject(install)} ${follows}`
  const known = pkg.versions.map((each) => each.text)
  if (version !== text && !known.includes(version)) {
    const hint = didYouMean(version, known) || `; known are ${listNames(listSome(known))}`
    return `must be a known version of ${pkg.name}, got '${version}'${hint}`
  }
  if (!downgrades && orderOf(version, install, index) < 0)
    return `must not be below the installed ${text} (${formatPlace(place)}), got '${version}'; \`downgrades: true\` allows that`
  return undefined
}

function latestFault(latest: string, { package: pkg, text }: Install): string | undefined {
  const known = pkg.versions.map((each) => each.text)
  if (latest === text || known.includes(latest)) return undefined
  return `must name a package whose latest version is known; that of ${pkg.name} is '${latest}', known are ${listNames(listSome(known))}`
}

function describeObject({ place }: Install): string {
  return `${formatResourceRef(place.ref)} (${formatPlace(place)})`
}

/** Returns a positive number for a version above the installed one, 0 for the installed one, a negative number for one below. */
function orderOf(text: string, { package: pkg, version, text: installed }: Install, { compare }: PackageIndex): number {
  const wanted = pkg.versions.find((each) => each.text === text)
  return text === installed || wanted === undefined || version === undefined ? 0 : compare(wanted, version)
}

/** Returns the versions above the installed one up to the latest that the package manager would choose. */
function versionsUpTo(latest: string, { package: pkg, version }: Install, { compare, chooses }: PackageIndex): string[] {
  const last = pkg.versions.find((each) => each.text === latest)
  if (last === undefined || version === undefined) return []
  return pkg.versions.filter((each) => compare(each, version) > 0 && compare(each, last) <= 0 && chooses(each)).map(({ text }) => text)
}

/**
 * Returns the plan that moves packages to their goals and meets all requirements. If that is not possible, packages that are to move to
 * their latest version move as far as the requirements of all packages allow; a requested version that is not possible is a failure. Each
 * update has a finding.
 *
 * Example: portal requires shop "<2.0.0", and shop 2.0.0 is the latest version: `update: [{name: shop}]` moves shop to 1.9.0, with a
 * finding that names portal; `update: [{name: shop, version: 2.0.0}]` fails.
 */
export function planUpdates(input: PlanInput, { all }: Updates): { readonly plan: Plan; readonly findings: readonly Finding[] } {
  const moving = all.filter(({ install }) => install.follows === undefined)
  const toGoals = planTo(moving, input, (each) => [each.goal])
  const isSure = toGoals.failures.length === 0 || moving.every(({ request }) => request.version !== undefined)
  const plan = isSure ? toGoals : planTo(moving, input, (each) => each.texts)
  if (plan.failures.length > 0) return { plan, findings: [] }
  return { plan, findings: describeUpdates(all, plan, (held) => reasonFor(held, moving, input)) }
}

function planTo(updates: readonly Update[], input: PlanInput, textsOf: (each: Update) => readonly string[]): Plan {
  const targets = new Map(updates.map((each) => [each.install, new Set(textsOf(each))] as const))
  return satisfyRequirements({ ...input, policy: { ...input.policy, targets } })
}

/** Returns the reason why a package does not reach its goal, from a plan that moves only this package to its goal. */
function reasonFor(held: Update, moving: readonly Update[], input: PlanInput): string {
  const { failures } = planTo(moving, input, (each) => (each === held ? [held.goal] : each.texts))
  const [first] = failures
  if (first === undefined) return 'another update does not allow that'
  return first.reason === 'exceeded' ? '`maxSteps` ended the search' : clauseOf(first)
}

// Each reason is a search of its own.
const MOST_REASONS = 10

function describeUpdates(all: readonly Update[], { steps }: Plan, reasonOf: (held: Update) => string): Finding[] {
  const moved = new Map(steps.flatMap(({ op, install, version }) => (op === 'update' && install !== undefined ? [[install, version]] : [])))
  let reasons = 0
  return all.map((each) => {
    const { install, index, goal, latest, request } = each
    const { package: pkg, place, follows } = install
    const version = moved.get(install) ?? install.text
    const message = (): string => {
      if (follows !== undefined) return `${follows}; ${latest} is the latest that is known`
      if (request.version !== undefined) return `is at ${version}, as \`update\` asks`
      if (version === latest) return `is at ${version}, the latest version`
      if (version === goal) return `is at ${version}, above the latest version ${latest}`
      reasons++
      return `is at ${version}, and ${latest} is the latest: ${reasons > MOST_REASONS ? 'requirements do not allow it' : reasonOf(each)}`
    }
    return {
      rule: 'update',
      message: `${formatResourceRef(place.ref)} ${message()}`,
      place: { ...place, currentValue: undefined },
      tags: { ecosystem: index.ecosystem, package: pkg.id, installed: version },
    }
  })
}
