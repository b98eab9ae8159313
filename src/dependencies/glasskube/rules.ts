import { repeatsOf } from '../../group-by.ts'
import { equalJson } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { type FieldPlace, type Finding, formatPlace, listNames } from '../finding.ts'
import type { Dependent } from '../package-index.ts'
import { placeIn, placeOfField, textAt } from '../reading/field.ts'
import { directRequirements } from '../requirements.ts'
import { type GlasskubeManifest, type GlasskubePackage, instanceKey, MANIFEST, packageInfos } from './objects.ts'

/** Reports two ClusterPackages of one manifest, and two Packages of one name: Glasskube can have only one of each. */
export function checkDuplicateInstances(packages: readonly GlasskubePackage[]): Finding[] {
  return repeatsOf(packages, ({ namespace, instance }) => `${namespace} ${instance}`).map(({ first, again }) => {
    const [a, b] = [first, again].map(
      ({ object, versionField }) => `${formatResourceRef(object.ref)} (${formatPlace(placeOfField(versionField))})`,
    )
    const place = placeIn(again.object, ['spec', 'packageInfo', 'name'], again.manifestName)
    return finding('duplicate-package', `${a} and ${b} both install ${again.manifestName}`, place, again)
  })
}

/** Reports PackageInfos of one name with different versions or manifests: a cluster has one of a name. */
export function checkInfos(objects: readonly KrmObject[]): Finding[] {
  return packageInfos(objects).flatMap(([used, ...others]) =>
    others.flatMap((object) => {
      const manifest = object.get(MANIFEST)
      const isSameManifest = manifest === undefined || equalJson(manifest, used.get(MANIFEST))
      if (isSameManifest && equalJson(object.get(['spec']), used.get(['spec']))) return []
      const at = formatPlace(placeIn(used, ['metadata', 'name']))
      const message = `${formatResourceRef(object.ref)} exists twice, with different content; that of ${at} is used`
      const tags = { ecosystem: 'glasskube', package: textAt(object, 'spec', 'name'), installed: textAt(object, 'spec', 'version') }
      return [{ rule: 'package-conflicting', message, place: placeIn(object, []), tags }]
    }),
  )
}

/**
 * Reports a Package whose manifest is for the cluster, and a ClusterPackage whose manifest is for a namespace (glasskube
 * package_validator.go).
 */
export function checkScope(each: GlasskubePackage, manifest: GlasskubeManifest | undefined): Finding[] {
  if (manifest?.manifest === undefined) return []
  const wanted = manifest.manifest.scope === 'Namespaced' ? 'Package' : 'ClusterPackage'
  if (each.object.kind === wanted) return []
  const message = `\`kind\` invalid scope, expected ${wanted} but found ${each.object.kind}`
  return [{ ...finding('scope-mismatch', message, placeIn(each.object, ['kind'], each.object.kind ?? ''), each), proposedValue: wanted }]
}

/** Reports a version that the operator chooses, if other packages require a range of the package (seed 004, version pinning). */
export function checkPinning(packages: readonly GlasskubePackage[], dependents: readonly Dependent[]): Finding[] {
  const ranges = directRequirements(dependents).filter(({ requirement }) => requirement.range !== undefined)
  const ranged = new Set(ranges.map(({ requirement }) => requirement.package.key))
  return packages.flatMap((each) => {
    const moves = each.version === '' || each.autoUpdate
    if (!moves || !ranged.has(instanceKey(each.namespace, each.instance))) return []
    const why = each.version === '' ? 'has no version' : 'is updated automatically'
    const message = `${formatResourceRef(each.object.ref)} ${why}, and others require a range of ${each.manifestName}: an update may leave it`
    return [finding('auto-update-unpinned', message, placeOfField(each.versionField), each)]
  })
}

/** Reports a missing package that several repositories have: the operator chooses none of them. */
export function checkRepositories(dependents: readonly Dependent[], repositoriesOf: (name: string) => readonly string[]): Finding[] {
  return directRequirements(dependents).flatMap(({ dependent, requirement: { package: pkg, place } }) => {
    const repositories = pkg.installs.length > 0 ? [] : repositoriesOf(pkg.id)
    if (repositories.length < 2) return []
    const message = `${dependent.name} requires ${pkg.id} (${formatPlace(place)}), which is in the repositories ${listNames(repositories)}: install it with a repositoryName`
    const tags = { ecosystem: 'glasskube', package: dependent.id, dependency: pkg.id }
    return [{ rule: 'repository-ambiguous', message, place, tags }]
  })
}

function finding(rule: Finding['rule'], message: string, place: FieldPlace, { manifestName, version }: GlasskubePackage): Finding {
  return { rule, message, place, tags: { ecosystem: 'glasskube', package: manifestName, ...(version !== '' && { installed: version }) } }
}
