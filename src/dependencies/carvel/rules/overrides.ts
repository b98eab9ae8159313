import { formatFieldPath } from '../../../field-path.ts'
import { didYouMean } from '../../../schema/nearest-name.ts'
import type { Version } from '../../../versions/version.ts'
import { quote } from '../../finding.ts'
import { formatPlace } from '../../place.ts'
import type { RangeReader } from '../../range.ts'
import { pathOfField, placeOfField } from '../../reading/field.ts'
import type { DeclaredDependency, DeclaredPackage } from '../dependencies.ts'
import type { Override } from '../installs.ts'
import { overrideAppliesTo } from '../requirements.ts'
import type { CarvelFinding } from './carvel-rules.ts'

/** The overrides of one PackageInstall, and what the Package it selects declares. */
export interface OverrideCase {
  readonly overrides: readonly Override[]
  /** Undefined: it is not known what the Package declares. */
  readonly declared: readonly DeclaredDependency[] | undefined
  readonly knownOf: (refName: string) => readonly Version[]
  readonly reader: RangeReader
}

/** Overrides of dependencies that are none, and overrides that leave the range of the package's author. */
export function checkOverrides({ overrides, declared, knownOf, reader }: OverrideCase): CarvelFinding[] {
  if (declared === undefined) return []
  const packages = declared.flatMap(declaredPackages)
  return overrides.flatMap((override) => {
    const target = packages.find((each) => overrideAppliesTo(override, each))
    if (target === undefined) return [unused(override, packages)]
    return outOfRange(override, target, knownOf(target.refName), reader)
  })
}

/** Every package that is declared, those in alternatives included. */
function declaredPackages(declared: DeclaredDependency): DeclaredPackage[] {
  if (declared.type === 'alternatives') return declared.alternatives.flatMap(declaredPackages)
  return declared.type === 'package' ? [declared] : []
}

function unused(override: Override, packages: readonly DeclaredPackage[]): CarvelFinding {
  const names = packages.map(({ refName }) => refName)
  return suspect(override, `names ${quote(override.name)}, which is no dependency of the package${didYouMean(override.name, names)}`)
}

// The version the override would choose: the highest known, else the exact one it names.
function outOfRange(
  override: Override,
  { refName, constraint, constraintField }: DeclaredPackage,
  known: readonly Version[],
  reader: RangeReader,
): CarvelFinding[] {
  const author = constraint === undefined ? undefined : reader.range(constraint)
  const wanted = override.constraints === undefined ? undefined : reader.range(override.constraints)
  if (author === undefined || wanted === undefined) return []
  const chosen = known.find((version) => wanted.accepts(version)) ?? reader.version(wanted.text)
  if (chosen === undefined || author.accepts(chosen)) return []
  return [
    suspect(
      override,
      `asks for ${refName} ${quote(wanted.text)}, ${chosen.text}, which is outside the range ${quote(author.text)} (${formatPlace(placeOfField(constraintField))}) of the package's author`,
    ),
  ]
}

function suspect(override: Override, message: string): CarvelFinding {
  const place = placeOfField(override.field)
  return {
    rule: 'override-suspect',
    message: `\`${formatFieldPath(pathOfField(override.field))}\` ${message}`,
    place: { ...place, currentValue: undefined },
    tags: { ecosystem: 'carvel', dependency: override.name, ...(override.constraints !== undefined && { required: override.constraints }) },
  }
}
