import { mount } from '../shared/mount.ts';
import { Reader } from './reader.tsx';

mount(<Reader />);
