import { repeatsOf } from '../../../group-by.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import { type Finding, formatPlace, quote } from '../../finding.ts'
import type { Dependent } from '../../package-index.ts'
import type { Collector } from '../../reading/collector.ts'
import { childField, fieldAt, placeIn, placeOfField } from '../../reading/field.ts'
import { kustomizeFiles } from '../../reading/kustomize-patches.ts'
import { groupKind } from '../../reading/object-metadata.ts'
import { directRequirements } from '../../requirements.ts'
import { checkReference } from '../dependencies.ts'
import type { CrossplaneInstall } from '../installs.ts'
import type { CrossplaneOptions, KnownPackages } from '../known.ts'
import { type CrossplanePackage, isPackage, keyOfPackage, type LockPackage } from '../objects.ts'
import { findingAt, packageFinding } from '../package-finding.ts'
import { generatedName, sourceFromReference } from '../reference.ts'
import { firstRelease, hasChange } from '../releases.ts'
import type { PackageKinds } from '../write-crossplane.ts'
import { INSTALLING_KINDS } from './removed.ts'

/** Returns the faults of the reference of each installed package, without comparing packages. */
export function checkReferences(packages: readonly CrossplanePackage[], known: Pick<KnownPackages, 'tagsOf'>): Finding[] {
  return packages.flatMap((each) => {
    const { source, tag, digest } = each.reference
    if (tag !== '' && digest !== '') {
      const message = `\`spec.package\` has a tag and a digest: Crossplane takes ${sourceFromReference(String(each.field.value))} for its source, so that no dependency on ${source} is ever met by it (crossplane#7458)`
      return [findingAt(each, 'tag-and-digest', message, `${source}@${digest}`)]
    }
    const fault = digest === '' ? tagFault(tag, known.tagsOf(source)) : undefined
    if (fault === undefined) return []
    const proposed = fault.proposed && `${source}:${fault.proposed}`
    return [findingAt(each, 'partial-tag', `\`spec.package\` ${fault.words}`, proposed)]
  })
}

/** Returns the fault of a tag that names no version, with the known tag that was most likely meant. */
function tagFault(tag: string, tags: readonly string[]): { readonly words: string; readonly proposed?: string | undefined } | undefined {
  const latest = `has no tag: Crossplane refuses the object from v2.0 on, and took the registry's tag 'latest' before; which version that is, and so whether it is in a range of others, was not checked`
  if (tag === '') return { words: latest }
  if (/^v?\d+(\.\d+)?$/.test(tag)) {
    return { words: `has the tag ${quote(tag)}, which is no full version: Crossplane never chooses it for a dependency` }
  }
  const meant = tag.startsWith('v') ? tag.slice(1) : `v${tag}`
  if (!tags.includes(meant) || tags.includes(tag)) return undefined
  const words = `has the tag ${quote(tag)}, and known is ${quote(meant)}, which is another tag: what ${quote(tag)} requires was not checked`
  return { words, proposed: meant }
}

/** Reports two objects, or two entries of the Lock, that install one source: Crossplane then refuses every package of the cluster. */
export function checkDuplicatePackages(packages: readonly CrossplanePackage[], lock: readonly LockPackage[]): Finding[] {
  const objects = packages.map(({ reference: { source }, object, field }) => ({ source, name: formatResourceRef(object.ref), field }))
  const entries = lock.map(({ source, name, field }) => ({
    source,
    name: `entry ${quote(name)} of the Lock`,
    field: childField(field, 'source'),
  }))
  const repeats = [objects, entries].flatMap((named) => repeatsOf(named, ({ source }) => source))
  return repeats.flatMap(({ first, again: { source, name, field } }) => {
    if (source === '') return []
    const message = `${first.name} (${formatPlace(placeOfField(first.field))}) and ${name} both install ${source}: Crossplane refuses every package of the cluster (node ${source} already exists)`
    return [packageFinding('duplicate-package', message, placeOfField(field), source)]
  })
}

/** Reports dependencies that would be installed under the name of a package with another source (crossplane#6779). */
export function checkGeneratedNames(
  dependents: readonly Dependent[],
  packages: readonly CrossplanePackage[],
  kinds: PackageKinds,
): Finding[] {
  const byName = new Map(packages.map((each) => [`${each.kind} ${each.name}`, each]))
  const seen = new Set<string>()
  const missing = directRequirements(dependents).filter(({ requirement }) => requirement.package.installs.length === 0)
  return missing.flatMap(({ dependent, requirement: each }) => {
    const source = each.package.id
    const taken = byName.get(`${kinds.of(source)?.kind ?? ''} ${generatedName(source)}`)
    if (taken === undefined || seen.has(source)) return []
    seen.add(source)
    const place = placeIn(taken.object, ['metadata', 'name'], taken.name)
    const message = `${source}, which ${dependent.name} requires (${formatPlace(each.place)}), would be named ${generatedName(source)}, as ${formatResourceRef(taken.object.ref)} is (${formatPlace(place)}), which installs ${taken.reference.source}`
    return [packageFinding('generated-name-collision', message, place, source)]
  })
}

/**
 * Reports packages whose source has no registry, and objects without a package, which the API server refuses. An object without a package
 * is a patch, and no fault, beside one of its kind and name that has a package, or if a Kustomization lists its file as a patch; one that
 * the target of a patch selects may get its package by the patch. An object is a warning if the Kustomization beside its file does not name
 * the file, so that no cluster gets it. For kinds that Crossplane no longer has,
 * `checkRemoved` says so.
 */
export function checkSources(objects: readonly KrmObject[], packages: readonly CrossplanePackage[], collector: Collector): void {
  for (const { field, reference } of packages) checkReference(field, reference, collector)
  const sourceless = objects.filter((object) => isPackage(object) && object.get(['spec', 'package']) === undefined)
  if (sourceless.length === 0) return
  const named = new Set(packages.map(keyOfPackage))
  const kustomize = kustomizeFiles(objects)
  for (const object of sourceless) {
    const isMisspelt = collector.nearMiss(object, ['spec'], 'package')
    const isPatch = named.has(`${object.kind} ${object.name}`) || kustomize.isPatch(object)
    if (isMisspelt || isPatch || !INSTALLING_KINDS.has(groupKind(object))) continue
    const [field, other] = [fieldAt(object, ['spec', 'package']), kustomize.passingOver(object)]
    if (other === undefined && kustomize.isTarget(object)) continue
    if (other === undefined) collector.name(field)
    else {
      const message = `must be set, or the file listed under \`patches\` of ${quote(other)}, which passes over it`
      collector.add('dependency-form-invalid', field, message, { severity: 'warning' })
    }
  }
}

/** Reports an installed Function that brings definitions where Crossplane still refuses these packages (NewFunctionLinter). */
export function checkFunctionDefinitions(
  { object, known, name, source, place }: CrossplaneInstall,
  { crossplaneVersion }: CrossplaneOptions,
): Finding[] {
  if (object?.kind !== 'Function' || hasChange('functions-bring-definitions', crossplaneVersion)) return []
  const definition = known?.contents().find((content) => content.object.startsWith('CustomResourceDefinition '))
  if (definition === undefined) return []
  const since = firstRelease('functions-bring-definitions')
  const message = `${name} brings ${definition.object} (${formatPlace(definition.place)}), which a Function may do since Crossplane ${since}, the cluster has ${crossplaneVersion}`
  return [{ rule: 'platform-incompatible', message, place, tags: { ecosystem: 'crossplane', package: source, required: `>=${since}` } }]
}
