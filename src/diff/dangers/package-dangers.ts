import { parseReference } from '../../dependencies/crossplane/reference.ts'
import { type JsonRecord, scalarText } from '../../json.ts'
import { DIALECTS, type Dialect } from '../../versions/dialects.ts'
import { valueAt } from '../field-changes.ts'
import { type DangerousChange, type DangerRule, deleted } from './danger-rule.ts'
import type { LostObjects } from './lost-with-packages.ts'
import { groupKindOf } from './pod-spec.ts'

/** The package that an object of a package manager installs. */
export interface NamedPackage {
  readonly ecosystem: 'crossplane' | 'carvel' | 'glasskube'
  readonly nameField: string
  /** The identity of the package, without its version. */
  readonly name: string
  /** The repository of a Glasskube package; '' leaves it to Glasskube. */
  readonly repository?: string
  readonly versionField: string
  /** As it is written: a version, a range, another tag, or ''. */
  readonly version: string
  readonly dialect: Dialect
}

const CROSSPLANE = ['Provider', 'Configuration', 'Function'].map((kind) => `pkg.crossplane.io ${kind}`)
const GLASSKUBE = ['ClusterPackage', 'Package'].map((kind) => `packages.glasskube.dev ${kind}`)
const CARVEL_INSTALL = 'packaging.carvel.dev PackageInstall'

const DELETED = deleted(
  'package-deleted',
  [...CROSSPLANE, CARVEL_INSTALL, 'kappctrl.k14s.io App', ...GLASSKUBE],
  ['package deleted', 'packages deleted'],
  'the package is uninstalled, and with it what it installed: definitions with all of their objects, volume claims',
)

/** The dangers of objects that package managers read. src/rules/dangers names the source of each. */
export const PACKAGE_DANGERS: readonly DangerRule[] = [
  { ...DELETED, find: (change) => (keepsInstalled(change.before) ? [] : DELETED.find(change)), lost: lostWith },
  deleted(
    'package-repository-deleted',
    ['packaging.carvel.dev PackageRepository', 'packages.glasskube.dev PackageRepository'],
    ['package repository deleted', 'package repositories deleted'],
    'the repository is deleted, and with it the packages that it offers: what is installed of them can no longer be updated or reconciled',
  ),
  {
    id: 'package-replaced',
    nouns: ['package replaced by another', 'packages replaced by others'],
    text: 'the object installs another package: what only the earlier one brought is deleted, or stays with no controller',
    find: (change) => {
      const [was, is] = packagesOf(change)
      return was !== undefined && is !== undefined && !isSame(was, is) ? [is.nameField] : []
    },
    lost: lostWith,
  },
  {
    id: 'package-downgraded',
    nouns: ['package downgraded', 'packages downgraded'],
    text: 'the version of the package is lower: the older one may not serve the versions in which objects are stored, and may be refused',
    find: (change) => {
      const [was, is] = packagesOf(change)
      return was !== undefined && is !== undefined && isSame(was, is) && isLower(is, was) ? [is.versionField] : []
    },
  },
]

/** Returns true for a change whose danger is what goes with a package. */
export function losesPackage({ op, before }: DangerousChange): boolean {
  return op !== 'create' && installedPackage(before) !== undefined
}

function lostWith({ before, lostWithPackages, objects, inCluster = objects }: DangerousChange): LostObjects | undefined {
  const installed = installedPackage(before)
  return installed === undefined ? undefined : lostWithPackages?.of(installed, inCluster?.().before ?? [])
}

/** Returns true for an install of kapp-controller that leaves what it installed when it is deleted. */
function keepsInstalled(object: JsonRecord | undefined): boolean {
  return [CARVEL_INSTALL, 'kappctrl.k14s.io App'].includes(groupKindOf(object)) && valueAt(object, ['spec', 'noopDelete']) === true
}

/** Returns what an object installs before and after a change. A renamed object is deleted, which is a danger of its own. */
function packagesOf({ op, before, after }: DangerousChange): readonly (NamedPackage | undefined)[] {
  return op === 'change' && groupKindOf(before) === groupKindOf(after) ? [before, after].map(installedPackage) : []
}

function installedPackage(object: JsonRecord | undefined): NamedPackage | undefined {
  const kind = groupKindOf(object)
  const text = (...path: string[]) => scalarText(valueAt(object, ['spec', ...path]))
  const known = CROSSPLANE.includes(kind)
    ? crossplanePackage(text('package'))
    : kind === CARVEL_INSTALL
      ? {
          nameField: 'spec.packageRef.refName',
          ecosystem: 'carvel' as const,
          name: text('packageRef', 'refName'),
          versionField: 'spec.packageRef.versionSelection.constraints',
          version: text('packageRef', 'versionSelection', 'constraints'),
          dialect: DIALECTS.k14s,
        }
      : GLASSKUBE.includes(kind)
        ? glasskubePackage(text('packageInfo', 'name'), text('packageInfo', 'repositoryName'), text('packageInfo', 'version'))
        : undefined
  return known?.name === '' ? undefined : known
}

function crossplanePackage(reference: string): NamedPackage {
  const { source, tag } = parseReference(reference)
  return {
    ecosystem: 'crossplane',
    nameField: 'spec.package',
    name: source,
    versionField: 'spec.package',
    version: tag,
    dialect: DIALECTS.m350,
  }
}

function glasskubePackage(name: string, repository: string, version: string): NamedPackage {
  return {
    ecosystem: 'glasskube',
    nameField: 'spec.packageInfo.name',
    name,
    repository,
    versionField: 'spec.packageInfo.version',
    version,
    dialect: DIALECTS.m331,
  }
}

/** Returns true if two objects install one package. Without a repository an object leaves it to Glasskube: both may mean the same. */
function isSame(was: NamedPackage, is: NamedPackage): boolean {
  const [before = '', after = ''] = [was.repository, is.repository]
  return was.name === is.name && (before === after || before === '' || after === '')
}

/** Returns true if both are exact versions and the first is lower. A range says nothing about the version that is installed. */
function isLower(is: NamedPackage, was: NamedPackage): boolean {
  const [next, last] = [is, was].map(({ version, dialect }) => dialect.parseVersion(version))
  return next?.ok === true && last?.ok === true && is.dialect.compare(next.value, last.value) < 0
}
