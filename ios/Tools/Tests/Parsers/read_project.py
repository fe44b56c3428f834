"""Reads the Xcode project, its scheme and property lists with parsers that are not ours. Python, since they are."""
import plistlib
import sys
import xml.dom.minidom

from pbxproj import XcodeProject

folder, *plists = sys.argv[1:]
project = XcodeProject.load(f"{folder}/project.pbxproj")
objects = project.objects
assert project.rootObject in objects, "the root is not there"
targets = [target.name for target in objects.get_targets()]
assert targets == ["Clipfeed"], targets
target = objects.get_targets("Clipfeed")[0]
configurations = objects.get_configurations_on_targets("Clipfeed")
names = sorted(configuration.name for configuration in configurations)
assert names == ["Debug", "Release"], names
phases = [objects[phase].isa for phase in target.buildPhases]
assert "PBXResourcesBuildPhase" in phases, "without the phase of resources no asset is copied"
folders = [objects[group].path for group in target.fileSystemSynchronizedGroups]
assert folders == ["App/Clipfeed"], folders
for path in plists:
    with open(path, "rb") as file:
        assert plistlib.load(file), path
xml.dom.minidom.parse(f"{folder}/xcshareddata/xcschemes/Clipfeed.xcscheme")
print(f"pbxproj {len(list(objects.get_keys()))} objects, plistlib {len(plists)} property lists, minidom 1 scheme")
