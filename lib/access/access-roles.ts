import { CfnOutput, DefaultStackSynthesizer, Fn, Stack } from 'aws-cdk-lib';
import { ArnPrincipal, CompositePrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { type Allowed, custodiansMay, type Operated, operatorsMay } from './operator-statements.ts';

/** ARNs of users, roles and accounts that may take each role; a role that nobody may take is not made. */
interface AccessRolesProps extends Operated {
  readonly assumedBy: {
    readonly operators: readonly string[];
    readonly custodians: readonly string[];
    readonly deployers: readonly string[];
  };
}

/** Roles of the people, and the pipelines, that look after the stack. None of them signs: the key's policy denies it. */
export class AccessRoles extends Construct {
  constructor(scope: Construct, id: string, { assumedBy, ...operated }: AccessRolesProps) {
    super(scope, id);
    const stack = Stack.of(this);
    /** Makes a role, unless nobody may take it. */
    const make = (id: string, description: string, principals: readonly string[], allowed: Allowed) => {
      if (principals.length === 0) return;
      const of = new CompositePrincipal(...principals.map((arn) => new ArnPrincipal(arn)));
      const role = new Role(this, id, { description, assumedBy: of });
      for (const statement of allowed.statements) role.addToPolicy(statement);
      acknowledge(role, allowed.acknowledgments);
      new CfnOutput(stack, `${id}Role`, { value: role.roleArn });
    };
    const operating = 'Runs npm run admin; sees no contents, makes no keys and issues none';
    make('Operators', operating, assumedBy.operators, operatorsMay(stack, operated));
    const keeping = 'Runs npm run admin, to see and erase contents and to make and issue keys as well';
    make('Custodians', keeping, assumedBy.custodians, custodiansMay(stack, operated));
    const statements = [new PolicyStatement({ actions: ['sts:AssumeRole'], resources: bootstrapRoles() })];
    const deploying = 'Runs cdk deploy, by the roles of cdk bootstrap';
    make('Deployers', deploying, assumedBy.deployers, { statements, acknowledgments: {} });
  }
}

/** ARNs of the roles that `cdk deploy` takes: to deploy, to upload assets, and to look up. */
function bootstrapRoles(): string[] {
  const { DEFAULT_QUALIFIER: qualifier, ...names } = DefaultStackSynthesizer;
  const arns = [
    names.DEFAULT_DEPLOY_ROLE_ARN,
    names.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
    names.DEFAULT_LOOKUP_ROLE_ARN,
  ];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of CDK's
  return arns.map((arn) => Fn.sub(arn.replaceAll('${Qualifier}', qualifier)));
}
