const INTRO = `# Rules

A result names its rule in \`tags.rule\`, and at the end of its line on stderr: \`file:line:column: severity: message [rule]\`.
The ids do not change. \`krm-variants rule ID\` prints what is here. This page is written from the records in \`src/rules\` by \`npm run generate\`;
the message of each rule is recorded in a golden case, a transcript of the tool or a test.
`

/**
 * Returns docs/rules.md: the rules of each family with their severity, meaning, example and fix.
 *
 * @param families  RULE_FAMILIES of src/rules/generated/rule-families.ts
 * @param severityText  of src/rules/all-rules.ts
 * @param meaningOf     of the same file
 */
export function rulesPage(families, severityText, meaningOf) {
  const rules = families.flatMap((family) => sorted(family.rules))
  const fixed = (fix) => sorted(Object.fromEntries(rules.filter(([, rule]) => rule.fix === fix)), link)
  const contents = families.map((family) => `* [${family.title}](#${slugOf(family.title)}): ${sorted(family.rules, link).join(', ')}`)
  const sections = families.map((family) => {
    const described = sorted(family.rules).map(([id, rule]) => describe(id, rule, severityText(rule), meaningOf(rule)))
    return `## ${family.title}\n\n${family.about}.\n\n${described.join('\n')}`
  })
  return [
    INTRO,
    `Where a finding has a \`proposedValue\` that means what is read today, \`krm-variants check --fix\` writes it: ${fixed('safe').join(', ')}.`,
    `\`--unsafe-fixes\` also writes what is only likely, and renames a misspelt key: ${fixed('unsafe').join(', ')}.`,
    'A person must fix the others.\n',
    `${contents.join('\n')}\n`,
    sections.join('\n'),
  ].join('\n')
}

const FIXES = { safe: '`check --fix` fixes it', unsafe: '`check --unsafe-fixes` fixes it' }

function describe(id, rule, severity, meaning) {
  const head = [
    severity,
    ...(rule.fix === undefined ? [] : [FIXES[rule.fix]]),
    ...(rule.since === undefined ? [] : [`since ${rule.since}`]),
  ]
  return `### \`${id}\`

*${head[0]}*${head.slice(1).map((text) => `, ${text}`)}

${meaning}.

* Example: ${rule.example}
* To fix it: ${rule.toFix ?? 'Nothing to fix'}
${exampleOf(rule)}`
}

/** Returns the files of an example as code, and what is right in their place. */
function exampleOf({ run = 'check', bad, good }) {
  if (bad === undefined) return ''
  const fence = (text) => `\`\`\`yaml\n${text}\`\`\`\n`
  const right = () => (typeof good === 'string' ? `Right:\n\n${fence(good)}` : `Right: ${code(good[1])} in place of ${code(good[0])}.\n`)
  return `\nFound by \`${run}\`:\n\n${fence(bad)}${good === undefined ? '' : `\n${right()}`}`
}

function code(text) {
  return text === '' ? 'nothing' : `\`${text.replaceAll(/\s*\n\s*/g, ' ')}\``
}

function sorted(rules, show = (id, rule) => [id, rule]) {
  return Object.entries(rules)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, rule]) => show(id, rule))
}

function link(id) {
  return `[\`${id}\`](#${id})`
}

/** Returns the anchor of a heading, as GitHub and VitePress make it. */
function slugOf(title) {
  return title.toLowerCase().replaceAll(' ', '-')
}

/**
 * Returns docs/dangers.md.
 *
 * @param dangers  DANGERS of src/rules/dangers
 */
export function dangersPage(dangers) {
  const rowsOf = (isNotice) =>
    Object.entries(dangers)
      .filter(([, { severity }]) => (severity === 'notice') === isNotice)
      .map(([id, { when, source }]) => `| \`${id}\` | ${when} | ${source} |\n`)
      .join('')
  return `# Dangers

\`krm-variants diff\` marks changes that may do harm when they are applied. \`--fail-on danger\` ends with exit code 1 if there is one. A danger is marked only if
the change brings it: an object that had it before has no mark. A field that one state leaves to the default of the API server, and to which the other
gives the same value, does not change. This page is written from the records in \`src/rules/dangers\` by \`npm run generate\`.

| danger | when | source |
|---|---|---|
${rowsOf(false)}
Dangers about two objects look at the objects of all packages of the cluster; those of a PodDisruptionBudget at the objects of its package.

## Notices

Changes that may be right, and that a reviewer should judge. They are listed, and \`--fail-on notice\` ends with exit code 1 if there is one.

| notice | when | source |
|---|---|---|
${rowsOf(true)}`
}
