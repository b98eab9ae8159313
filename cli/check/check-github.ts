import { printable, printableMessage } from '../../src/printable.ts'
import type { CheckView } from './check-view.ts'

/** Returns the findings of a check as workflow commands, which GitHub Actions shows at the lines of a pull request. */
export function checkGithub({ findings }: CheckView): string {
  return findings.map(({ result }) => commandOf(result)).join('')
}

type Result = CheckView['findings'][number]['result']

function commandOf({ severity, message, field, file, position, tags }: Result): string {
  const properties = {
    ...(file !== undefined && { file: file.path }),
    ...(position !== undefined && { line: position.line, col: position.column }),
    title: tags.rule,
  }
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`)
  return `::${severity === 'info' ? 'notice' : severity} ${listed.join(',')}::${escapeText(printableMessage(message, field?.currentValue))}\n`
}

/** Escapes a text as the toolkit of GitHub Actions does (actions/toolkit, command.ts). */
function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
