// The page uses these parts of Apache ECharts; ./build makes echarts.min.js of them. The
// browser tests of the page fail if one is missing.
import {use} from "echarts/core";
import {BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart} from "echarts/charts";
import {AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent,
  VisualMapComponent} from "echarts/components";
import {LabelLayout} from "echarts/features";
import {SVGRenderer} from "echarts/renderers";
import {encodeHTML} from "zrender/lib/core/dom.js";

// The toolbox has two used features; the library offers them only with all others.
import "echarts/lib/component/dataZoomSelect";
import ToolboxModel from "echarts/lib/component/toolbox/ToolboxModel.js";
import ToolboxView from "echarts/lib/component/toolbox/ToolboxView.js";
import {registerFeature} from "echarts/lib/component/toolbox/featureManager.js";
import DataZoom from "echarts/lib/component/toolbox/feature/DataZoom.js";
import Restore from "echarts/lib/component/toolbox/feature/Restore.js";

function Toolbox(registers) {
  registers.registerComponentModel(ToolboxModel);
  registers.registerComponentView(ToolboxView);
  registerFeature("dataZoom", DataZoom);
  registerFeature("restore", Restore);
}

use([BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart,
  AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, Toolbox, TooltipComponent,
  VisualMapComponent, LabelLayout, SVGRenderer]);

export {getInstanceByDom, init, version} from "echarts/core";

export const format = {encodeHTML};
