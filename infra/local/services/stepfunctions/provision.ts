import { ACCOUNT, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../../kernel/types.ts';
import { isName } from './arguments.ts';
import { checkDefinition } from './check-definition.ts';
import { MachineTable } from './machine-table.ts';

export type ReadAsset = (location: { bucket: string; key: string }) => Promise<string>;

const PROPERTIES = {
  StateMachineName: 'used',
  StateMachineType: 'used',
  Definition: 'used',
  DefinitionString: 'used',
  DefinitionS3Location: 'used',
  DefinitionSubstitutions: 'used',
  RoleArn: 'used',
  LoggingConfiguration: 'the history of every execution is kept and shown here; no log group is written',
  TracingConfiguration: 'no traces are collected on a laptop',
  EncryptionConfiguration: 'the journal is a local file',
  Tags: 'tags have no effect on how a machine runs',
} as const;

/** Makes state machines of a template real: substitutes, checks that all of the definition runs here, and keeps it. */
export function provisionMachines(kernel: Kernel, readAsset: ReadAsset | undefined): Provisioner {
  const machines = new MachineTable(kernel.db);
  return {
    properties: { 'AWS::StepFunctions::StateMachine': PROPERTIES },
    async provision(resource: Resource): Promise<Provisioned> {
      const stop = (message: string): never => {
        throw new Error(`${resource.logicalId} (${resource.path}): ${message}`);
      };
      const { StateMachineName, StateMachineType = 'STANDARD', RoleArn } = resource.properties;
      if (StateMachineType !== 'STANDARD') stop(`StateMachineType ${StateMachineType} is not supported. Supported: STANDARD.`);
      if (typeof RoleArn !== 'string') stop('RoleArn is missing.');
      const name = String(StateMachineName ?? resource.logicalId);
      if (!isName(name)) stop(`Invalid Name: '${name}'`);
      const definition = substitute(await definitionText(resource, readAsset, stop), (resource.properties.DefinitionSubstitutions ?? {}) as Record<string, unknown>);
      const refusals = checkDefinition(definition);
      if (refusals.length > 0) stop(`InvalidDefinition:\n${refusals.map((refusal) => `  - ${refusal}`).join('\n')}`);
      const arn = `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`;
      const { revision } = machines.put({ arn, name, roleArn: String(RoleArn), definition, createdAt: machines.find(arn)?.createdAt ?? kernel.time.now() });
      return { ref: arn, attributes: { Arn: arn, Name: name, StateMachineRevisionId: revision } };
    },
  };
}

async function definitionText(resource: Resource, readAsset: ReadAsset | undefined, stop: (message: string) => never): Promise<string> {
  const { DefinitionString, Definition, DefinitionS3Location } = resource.properties;
  if (typeof DefinitionString === 'string') return DefinitionString;
  if (typeof Definition === 'object' && Definition !== null) return JSON.stringify(Definition);
  const { Bucket, Key } = (DefinitionS3Location ?? {}) as { Bucket?: string; Key?: string };
  if (Bucket === undefined || Key === undefined) return stop('one of DefinitionString, Definition and DefinitionS3Location is needed.');
  if (!readAsset) return stop('DefinitionS3Location cannot be read here; use DefinitionString or Definition.');
  return readAsset({ bucket: Bucket, key: Key });
}

/** `${Name}` becomes its value, escaped for the JSON string it stands in. */
function substitute(definition: string, values: Record<string, unknown>): string {
  return definition.replace(/\$\{([A-Za-z0-9_.-]+)\}/g, (whole, name: string) => (name in values ? JSON.stringify(String(values[name])).slice(1, -1) : whole));
}
