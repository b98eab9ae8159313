import { DANGER_RULES, WIDE_CHANGE } from '../../src/diff/dangers/dangers.ts'
import type { ChangeCause, ChangeGroup, DiffReport } from '../../src/diff/report.ts'
import { printable } from '../../src/printable.ts'
import { meaningOf, RULES } from '../../src/rules/all-rules.ts'
import { withoutSecretsInFinding } from '../../src/secret-values.ts'
import { countOf } from '../../src/wording.ts'
import { githubCommand, sarifMessage, sarifText } from '../print/code-hosts.ts'
import { withEqualViolations } from '../print/equal-violations.ts'
import { nameObjects } from './diff-wording.ts'

/** A danger at the line of its cause, or an error at its place. */
interface DangerFinding {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly message: string
  readonly file: string | undefined
  readonly line: number | undefined
}

/** Returns the path of a file from the top of its repository. */
type PathOf = (path: string) => string

/** Returns the errors and dangers of a report as workflow commands, which GitHub Actions shows at the lines of a pull request. */
export function dangersGithub(report: DiffReport, pathOf: PathOf): string {
  return [...findErrors(report), ...findDangers(report)]
    .map(({ rule, level, message, file, line }) => {
      const place = { ...(file !== undefined && { file: pathOf(file) }), ...(line !== undefined && { line }) }
      return githubCommand(level === 'note' ? 'notice' : level, { ...place, title: rule }, printable(message))
    })
    .join('')
}

/** Returns the errors and dangers of a report as SARIF 2.1.0 for code scanning. */
export function dangersSarif(report: DiffReport, version: string, pathOf: PathOf): string {
  const found = [...findErrors(report), ...findDangers(report)]
  const rules = [
    ...[...RULES.values()].map((rule) => described(rule.id, meaningOf(rule), 'error')),
    ...DANGER_RULES.map(({ id, text, severity }) => described(id, text, severity === 'notice' ? 'note' : 'warning')),
    described(WIDE_CHANGE, 'many clusters of a set change at once', 'warning'),
  ]
  const results = found.map(({ rule, level, message, file, line }) => ({
    ruleId: rule,
    level,
    message: sarifMessage(printable(message)),
    ...(file !== undefined && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: pathOf(file).split('/').map(encodeURIComponent).join('/') },
            ...(line !== undefined && { region: { startLine: line } }),
          },
        },
      ],
    }),
  }))
  return sarifText({ name: 'krm-variants diff', version, rules }, results)
}

function described(id: string, text: string, level: DangerFinding['level']) {
  return { id, shortDescription: { text }, defaultConfiguration: { level } }
}

/** Returns the errors of a report: they come before the dangers, as in text. */
function findErrors({ results }: DiffReport): readonly DangerFinding[] {
  const errors = withEqualViolations(results).filter(({ severity }) => severity === 'error')
  return errors.map(withoutSecretsInFinding).map(({ message, file, position, tags }) => ({
    rule: tags.rule,
    level: 'error',
    message,
    file: file?.path,
    line: position?.line,
  }))
}

function findDangers({ groups, dangers }: DiffReport): readonly DangerFinding[] {
  const own = groups.flatMap((group) =>
    group.dangers.map(({ rule, severity, text, path }) => ({
      rule,
      level: severity === 'notice' ? ('note' as const) : ('warning' as const),
      message: `${nameObjects(group)}, ${countOf(group.clusters, 'cluster')}: ${path === undefined ? '' : `${path}: `}${text}`,
      ...lineOf(group.causes),
    })),
  )
  const wide = dangers.flatMap(({ rule, text, set }) => {
    if (set === undefined) return []
    const causes = groups.filter(({ places }) => places.some((place) => place.set === set)).flatMap((group: ChangeGroup) => group.causes)
    return [{ rule, level: 'warning' as const, message: text, ...lineOf(causes) }]
  })
  return [...own, ...wide]
}

/** Returns the first line that one of the causes names. An input that changed comes before the expression or selector that reads it. */
function lineOf(causes: readonly ChangeCause[]): Pick<DangerFinding, 'file' | 'line'> {
  const [found] = causes
    .flatMap((cause) => [...(cause.inputs ?? []), cause, ...(cause.details ?? [])])
    .filter(({ file }) => file !== undefined)
  return { file: found?.file, line: found?.line }
}
