import { stableId } from '../names.ts';
import { type Provisioning, recorded } from '../resource-type.ts';
import { document, flag, list, number, required, tags, text } from '../shapes.ts';

/**
 * Networks exist only on AWS: here functions reach whatever this machine reaches, and network resources only have to be
 * valid.
 */
const idOf = (prefix: string, { stack, logicalId }: Pick<Provisioning<unknown>, 'stack' | 'logicalId'>) =>
  `${prefix}-${stableId(`${stack}/${logicalId}`, 17)}`;

export const vpc = recorded('AWS::EC2::VPC', {
  properties: {
    CidrBlock: text,
    EnableDnsHostnames: flag,
    EnableDnsSupport: flag,
    InstanceTenancy: text,
    Tags: tags,
  },
  attributes: ['VpcId', 'CidrBlock', 'DefaultSecurityGroup'],
  answer(resource) {
    const ref = idOf('vpc', resource);
    const DefaultSecurityGroup = idOf('sg', resource);
    return { ref, attributes: { VpcId: ref, CidrBlock: resource.properties.CidrBlock ?? '', DefaultSecurityGroup } };
  },
});

export const subnet = recorded('AWS::EC2::Subnet', {
  properties: {
    AvailabilityZone: text,
    CidrBlock: text,
    MapPublicIpOnLaunch: flag,
    Tags: tags,
    VpcId: required(text),
  },
  attributes: ['SubnetId', 'AvailabilityZone'],
  answer(resource) {
    const ref = idOf('subnet', resource);
    return { ref, attributes: { SubnetId: ref, AvailabilityZone: resource.properties.AvailabilityZone ?? '' } };
  },
});

export const routeTable = recorded('AWS::EC2::RouteTable', {
  properties: { Tags: tags, VpcId: required(text) },
  attributes: ['RouteTableId'],
  answer(resource) {
    const ref = idOf('rtb', resource);
    return { ref, attributes: { RouteTableId: ref } };
  },
});

export const routeTableAssociation = recorded('AWS::EC2::SubnetRouteTableAssociation', {
  properties: { RouteTableId: required(text), SubnetId: required(text) },
});

export const route = recorded('AWS::EC2::Route', {
  properties: { DestinationCidrBlock: text, GatewayId: text, RouteTableId: required(text) },
});

export const internetGateway = recorded('AWS::EC2::InternetGateway', {
  properties: { Tags: tags },
  attributes: ['InternetGatewayId'],
  answer(resource) {
    const ref = idOf('igw', resource);
    return { ref, attributes: { InternetGatewayId: ref } };
  },
});

export const gatewayAttachment = recorded('AWS::EC2::VPCGatewayAttachment', {
  properties: { InternetGatewayId: text, VpcId: required(text) },
});

export const securityGroup = recorded('AWS::EC2::SecurityGroup', {
  properties: {
    GroupDescription: required(text),
    GroupName: text,
    SecurityGroupEgress: list(document),
    SecurityGroupIngress: list(document),
    Tags: tags,
    VpcId: text,
  },
  attributes: ['GroupId', 'VpcId'],
  answer(resource) {
    const ref = idOf('sg', resource);
    return { ref, attributes: { GroupId: ref, VpcId: resource.properties.VpcId ?? '' } };
  },
});

export const flowLog = recorded('AWS::EC2::FlowLog', {
  properties: {
    DeliverLogsPermissionArn: text,
    LogDestinationType: text,
    LogGroupName: text,
    MaxAggregationInterval: number,
    ResourceId: required(text),
    ResourceType: required(text),
    Tags: tags,
    TrafficType: text,
  },
});
