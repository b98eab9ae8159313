import { formatResourceRef } from '../../../result.ts'
import { parseRelaxed, sortVersions } from '../../../versions/selection.ts'
import type { Version } from '../../../versions/version.ts'
import { listNames, listSome, quote } from '../../finding.ts'
import { formatPlace } from '../../place.ts'
import type { RangeReader } from '../../range.ts'
import type { ReadOptions } from '../../reading/ecosystem.ts'
import { fieldAt, type ObjectField, placeIn, placeOfField } from '../../reading/field.ts'
import type { PackageInstall } from '../installs.ts'
import type { CarvelPackage } from '../packages.ts'
import { allowsPlatform, type SelectingInstall, selectPackage } from '../select.ts'
import type { CarvelFinding } from './carvel-rules.ts'

const DOWNGRADABLE_ANNOTATION = 'packaging.carvel.dev/downgradable'

/** Returns the faults of the version that each PackageInstall selects now: no version, a downgrade, a platform that is not known. */
export function checkSelections(
  installs: readonly SelectingInstall[],
  reader: RangeReader,
  options: Pick<ReadOptions, 'closed'>,
): CarvelFinding[] {
  return installs.flatMap((each) => [...checkSelected(each, reader, options), ...checkDowngrade(each, reader), ...checkPlatformKnown(each)])
}

function checkSelected(each: SelectingInstall, reader: RangeReader, { closed }: Pick<ReadOptions, 'closed'>): CarvelFinding[] {
  const { install, visible, selection, platform } = each
  if (selection.selected !== undefined) return []
  if (visible.length === 0) return closed ? [nothing(each, 'no-version-available', 'no version of it is known')] : []
  const anywhere = selectPackage(visible, install.ref, { ...platform, ignoreKubernetes: true, ignoreKappController: true }, reader)
  if (anywhere.selected !== undefined) return [incompatible(each, anywhere.selected, reader)]
  const there = listNames(
    listSome(
      sortVersions(
        parseRelaxed(
          visible.map(({ version }) => version),
          reader.version,
        ),
        reader.dialect,
      )
        .reverse()
        .map(({ text }) => text),
    ),
  )
  return [
    nothing(each, 'no-version-available', `${selection.trail}; there ${visible.length === 1 ? 'is' : 'are'} ${there}`),
    ...checkPrereleases(each, reader),
  ]
}

function nothing(each: SelectingInstall, rule: CarvelFinding['rule'], why: string): CarvelFinding {
  const { install } = each
  return finding(
    each,
    rule,
    `${formatResourceRef(install.object.ref)} selects no version of ${install.ref.refName}${wanted(install)}: ${why}`,
    install.constraintsField,
  )
}

function wanted({ ref }: PackageInstall): string {
  return ref.constraints === '' ? '' : ` ${quote(ref.constraints)}`
}

// The version that would be selected does not run on this cluster.
function incompatible(each: SelectingInstall, selected: CarvelPackage, reader: RangeReader): CarvelFinding {
  const { platform, selection } = each
  const kubernetes = !allowsPlatform(selected.kubernetesVersionSelection, platform.kubernetes, reader)
  const [name, constraint, version, field] = kubernetes
    ? (['Kubernetes', selected.kubernetesVersionSelection, platform.kubernetes, selected.platform().kubernetes] as const)
    : (['kapp-controller', selected.kappControllerVersionSelection, platform.kappController, selected.platform().kappController] as const)
  const message = `${selected.refName} ${selected.version} requires ${name} ${quote(constraint ?? '')} (${formatPlace(placeOfField(field))}), the cluster has ${version}: ${selection.trail}`
  const found = finding(each, 'platform-incompatible', message, field)
  return { ...found, tags: { ...found.tags, required: constraint ?? '', installed: version ?? '' } }
}

function checkPrereleases(each: SelectingInstall, reader: RangeReader): CarvelFinding[] {
  const { install, visible, platform } = each
  const found = selectPackage(visible, { ...install.ref, prereleases: { identifiers: [] } }, platform, reader)
  if (found.version === undefined) return []
  const field = fieldAt(install.object, ['spec', 'packageRef', 'versionSelection'])
  const message = `\`spec.packageRef.versionSelection\` leaves prereleases out, and only prereleases match, such as ${found.version.text}: set prereleases: {}`
  const current = typeof field.value === 'object' && field.value !== null && !Array.isArray(field.value) ? field.value : {}
  return [{ ...finding(each, 'prerelease-not-selected', message, field), proposedValue: { ...current, prereleases: {} } }]
}

// kapp-controller stops at a version below the last one it tried (packageinstall_downgrade_test.go).
function checkDowngrade(each: SelectingInstall, reader: RangeReader): CarvelFinding[] {
  const { install, selection } = each
  const last = reader.version(install.lastAttemptedVersion)
  const blocked = last !== undefined && selection.version !== undefined && isBelow(selection.version, last, reader)
  if (!blocked || install.object.annotations.has(DOWNGRADABLE_ANNOTATION)) return []
  const message = `${formatResourceRef(install.object.ref)} would select ${install.ref.refName} ${selection.version?.text}, and ${last.text} was installed last: annotate it ${DOWNGRADABLE_ANNOTATION}: ""`
  return [
    {
      ...finding(each, 'downgrade-blocked', message, install.constraintsField),
      place: placeIn(install.object, ['metadata', 'annotations']),
    },
  ]
}

function isBelow(selected: Version, last: Version, reader: RangeReader): boolean {
  return reader.dialect.compare(selected, last) < 0
}

function checkPlatformKnown(each: SelectingInstall): CarvelFinding[] {
  const { platform, selection } = each
  const selected = selection.selected
  if (selected === undefined) return []
  const rows = [
    {
      name: 'Kubernetes',
      option: 'kubernetesVersion',
      constraint: selected.kubernetesVersionSelection,
      version: platform.kubernetes,
      ignored: platform.ignoreKubernetes,
      field: selected.platform().kubernetes,
    },
    {
      name: 'kapp-controller',
      option: 'kappControllerVersion',
      constraint: selected.kappControllerVersionSelection,
      version: platform.kappController,
      ignored: platform.ignoreKappController,
      field: selected.platform().kappController,
    },
  ]
  return rows.flatMap(({ name, option, constraint, version, ignored, field }) => {
    if (constraint === undefined || constraint === '' || version !== undefined || ignored) return []
    const message = `${selected.refName} ${selected.version} requires ${name} ${quote(constraint)} (${formatPlace(placeOfField(field))}); not checked, since \`cluster.${option}\` is not given`
    const found = finding(each, 'platform-incompatible', message, field)
    return [{ ...found, severity: 'info' as const, tags: { ...found.tags, required: constraint } }]
  })
}

function finding({ install }: SelectingInstall, rule: CarvelFinding['rule'], message: string, field: ObjectField): CarvelFinding {
  const { refName, constraints } = install.ref
  return {
    rule,
    message,
    place: placeOfField(field),
    tags: { ecosystem: 'carvel', package: refName, ...(constraints !== '' && { required: constraints }) },
  }
}
