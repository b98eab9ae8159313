/** The controller's texts that say the same as a rule of ours. */
export const REASONS: Readonly<Record<string, RegExp>> = {
  'context-missing': /"package-context\.yaml" (not found|does not contain)/,
  'context-data': /PackageContext (no data field found|invalid data field)/,
  'duplicate-key': /PackageContext invalid data field/,
  'kptfile-missing': /^"Kptfile" not found/,
  'kptfile-documents': /"Kptfile".*expected exactly one object/,
  kptfile: /unmatched field type|unhandled node kind|unable to convert|"Kptfile" does not contain kind/,
  'injection-annotation': /has invalid "kpt\.dev\/config-injection" annotation value/,
  'injection-ambiguous': /duplicate injection conditionType/,
}

/** The fields that the controller's validation names. */
export function faultyFields(validationErrors: readonly string[]): readonly string[] {
  return [...new Set(validationErrors.map((text) => /spec[\w.[\]]*/.exec(text)?.[0] ?? text))].sort()
}
