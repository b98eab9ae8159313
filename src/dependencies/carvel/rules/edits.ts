import { formatFieldPath } from '../../../field-path.ts'
import type { JsonValue } from '../../../json.ts'
import { describeValue } from '../../../schema/describe-value.ts'
import { LAST_GENERATED_ANNOTATION } from '../../../well-known.ts'
import { type Finding, shorten } from '../../finding.ts'
import { pathOfField, placeIn } from '../../reading/field.ts'
import type { EditedField } from '../../reading/last-generated.ts'
import { editsOf } from '../generated-install.ts'
import type { PackageInstall } from '../installs.ts'

/**
 * Reports each field that people changed in a generated install. By convention such installs are not updated (seed 002, Enforce dependent
 * PackageInstall cannot be modified); `resolve` keeps the edits.
 */
export function checkEdits(installs: readonly PackageInstall[]): Finding[] {
  return installs.flatMap((install) => [...checkRecord(install), ...editsOf(install).map((edit) => editFinding(edit, install))])
}

function checkRecord(install: PackageInstall): Finding[] {
  if (install.lastGenerated.type !== 'unreadable') return []
  const path = ['metadata', 'annotations', LAST_GENERATED_ANNOTATION]
  const text = install.object.annotations.get(LAST_GENERATED_ANNOTATION) ?? ''
  const message = `must be the JSON of what was generated, {"spec": {…}}, got ${shorten(describeValue(text))}; what people changed is not known, and \`resolve\` keeps the install`
  return [finding({ path, current: text }, message, install)]
}

function editFinding(edit: EditedField, install: PackageInstall): Finding {
  const { path, generated, current } = edit
  const isVersion = formatFieldPath(path) === formatFieldPath(pathOfField(install.constraintsField))
  const end = isVersion ? "the install counts as a person's" : '`resolve` keeps the edit'
  const before = generated === undefined ? 'was not generated' : `was generated as ${shown(generated)}`
  return finding(edit, `is ${current === undefined ? 'absent' : shown(current)}, and ${before}; ${end}`, install)
}

function shown(value: JsonValue): string {
  return shorten(describeValue(value))
}

function finding({ path, current }: Pick<EditedField, 'path' | 'current'>, message: string, { object, ref }: PackageInstall): Finding {
  const tags = { ecosystem: 'carvel', package: ref.refName }
  return { rule: 'generated-edited', message: `\`${formatFieldPath(path)}\` ${message}`, place: placeIn(object, path, current), tags }
}
