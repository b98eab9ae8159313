const PATHS = { github: '.github/workflows/fleet.yaml', gitlab: '.gitlab-ci.yml' }

/**
 * Returns the text of cli/generated/workflows.ts: the workflows for pull requests that `init --ci` writes.
 *
 * @param text  docs/recipes/pull-requests.md, in which each workflow begins with a comment that is its path
 * @throws Error  if a workflow is not there
 */
export function workflows(text) {
  const entries = Object.entries(PATHS).map(([system, path]) => {
    const start = text.indexOf(`\`\`\`yaml\n# ${path}\n`)
    if (start === -1) throw new Error(`docs/recipes/pull-requests.md must have the block '# ${path}'`)
    const block = text.slice(text.indexOf('\n# ', start) + 1, text.indexOf('```', start + 3))
    // The folder of the fleet is `fleet` in the recipe, and the top of the repository for `init`.
    const workflow = block.slice(block.indexOf('\n') + 1).replace(/(?<=folder: )fleet$|\bfleet(?= >)/gm, '.')
    return `  ${system}: ${JSON.stringify({ path, text: workflow })},`
  })
  return `// Written by scripts/generate.mjs from docs/recipes/pull-requests.md.

export const WORKFLOWS = {
${entries.join('\n')}
} as const
`
}
