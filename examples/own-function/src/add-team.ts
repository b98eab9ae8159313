import { decodeConfig, FunctionError, type KrmObject, type ResourceList, type Result } from 'krm-variants/sdk'

const CONFIG = {
  type: 'object',
  properties: {
    apiVersion: { const: 'v1' },
    kind: { const: 'ConfigMap' },
    metadata: { type: 'object' },
    data: {
      type: 'object',
      properties: { team: { type: 'string', minLength: 1 } },
      required: ['team'],
      additionalProperties: false,
    },
  },
  required: ['data'],
  additionalProperties: false,
} as const

const LABEL = ['metadata', 'labels', 'team']

/** Labels every object with the team of the functionConfig; an object of another team is an error. */
export function addTeam(list: ResourceList): void {
  const { team } = decodeConfig(list, CONFIG).data
  const taken = list.items.flatMap((item) => otherTeam(item, team))
  if (taken.length > 0) throw new FunctionError(taken)
  for (const item of list.items) item.set(LABEL, team)
}

function otherTeam(item: KrmObject, team: string): Result[] {
  const found = item.get(LABEL)
  if (found === undefined || found === team) return []
  const message = `\`metadata.labels.team\` must be '${team}', got '${found}'`
  const position = item.positionOf(LABEL)
  return [{ severity: 'error', message, resourceRef: item.ref, ...(item.file && { file: item.file }), position, tags: { rule: 'other-team' } }]
}
